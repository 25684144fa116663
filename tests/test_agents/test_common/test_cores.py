"""How many cores this process may use: its affinity, and the quota of its control groups."""

from pathlib import Path

import pytest

from agents.common.cores import _quota, usable_cores


@pytest.mark.parametrize(
    ("groups", "files", "expected"),
    [
        ("0::/\n", {"cpu.max": "250000 100000\n"}, 3),
        ("0::/\n", {"cpu.max": "1000 100000\n"}, 1),
        ("0::/a/b\n", {"a/b/cpu.max": "max 100000\n", "a/cpu.max": "200000 100000\n"}, 2),
        ("0::/a/b\n", {"a/b/cpu.max": "400000 100000\n", "a/cpu.max": "200000 100000\n"}, 2),
        (
            "7:memory:/docker/x\n4:cpu,cpuacct:/docker/x\n0::/\n",
            {"cpu,cpuacct/cpu.cfs_quota_us": "150000\n", "cpu,cpuacct/cpu.cfs_period_us": "100000\n"},
            2,
        ),
        ("4:cpu:/x\n", {"cpu/x/cpu.cfs_quota_us": "-1\n", "cpu/x/cpu.cfs_period_us": "100000\n"}, None),
        ("0::/\n", {"cpu.max": "many\n"}, None),
        ("nonsense\n", {}, None),
        (None, {}, None),
    ],
)
def test_the_smallest_quota_of_the_groups_is_rounded_up(
    groups: str | None, files: dict[str, str], expected: int | None, tmp_path: Path
) -> None:
    contents = {f"sys/fs/cgroup/{name}": text for name, text in files.items()}
    contents |= {} if groups is None else {"proc/self/cgroup": groups}
    for name, text in contents.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert _quota(tmp_path) == expected


def test_a_quota_leaves_the_last_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 2, 5, 7}, raising=False)
    for quota, cores in ((None, [7, 5, 2, 0]), (3, [7, 5, 2]), (8, [7, 5, 2, 0])):
        monkeypatch.setattr("agents.common.cores._quota", lambda quota=quota: quota)
        assert usable_cores() == cores
