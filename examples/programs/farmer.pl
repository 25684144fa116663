#!/usr/bin/env perl
# A player in Perl: farms first, then figures anywhere, then whatever is legal.
#
#     python evaluate.py "program:perl examples/programs/farmer.pl" random
use strict;
use warnings;
$| = 1;
my @legal;
while (my $line = <STDIN>) {
    $line =~ s/\s+$//;
    my ($word, $rest) = split / /, $line, 2;
    if    ($word eq "hello")    { print "hello 1 farmer\n" }
    elsif ($word eq "isready")  { print "readyok\n" }
    elsif ($word eq "position") { @legal = () }
    elsif ($word eq "legal")    { push @legal, $rest }
    elsif ($word eq "go") {
        my ($best) = ((grep { /:farm@/ } @legal), (grep { /@/ } @legal), @legal);
        print "bestmove $best\n";
    }
    elsif ($word eq "quit") { last }
}
