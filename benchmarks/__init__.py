"""What is measured: speed."""
