#!/usr/bin/env python3
"""Speeds, distances and a heat map from the tables of `wishdir export`: speeds.py FOLDER.

Needs pandas, as Debian's python3-pandas; for Parquet also pyarrow or duckdb.
"""

import pathlib
import sys

import pandas as pd


def parquet(file: pathlib.Path) -> pd.DataFrame:
    """Reads Parquet by pyarrow, or else by DuckDB."""
    try:
        return pd.read_parquet(file)
    except ImportError:
        pass
    try:
        import duckdb
    except ImportError:
        sys.exit(f"{file}: Parquet needs pyarrow or duckdb; wishdir export --csv needs neither")
    return duckdb.read_parquet(str(file)).df()


def table(folder: pathlib.Path, name: str) -> pd.DataFrame:
    """A table, from Parquet or CSV."""
    for suffix, read in ((".parquet", parquet), (".csv", pd.read_csv)):
        file = folder / (name + suffix)
        if file.exists():
            return read(file)
    sys.exit(f"{folder} has neither {name}.parquet nor {name}.csv: use wishdir export FILE --csv {folder}")


def main(folder: pathlib.Path) -> None:
    players = table(folder, "players")
    moves = table(folder, "movements")
    if moves.empty:
        sys.exit(f"{folder} has no movements")
    if "elapsed" not in moves:  # Parquet has only the time.
        starts = table(folder, "recordings").set_index("recording").started
        moves["elapsed"] = (moves.time - moves.recording.map(starts)).dt.total_seconds()
    moves = moves.sort_values("elapsed", kind="stable")

    # m/s over the ground, as the game reports it.
    moves["speed"] = (moves.vx**2 + moves.vy**2) ** 0.5
    print(moves.groupby("game").speed.describe(percentiles=[0.5, 0.95, 0.99]).round(2))

    # From one movement to the next, within a track: spawns and teleports are not walked.
    player = ["recording", "node", "player"]
    step = moves.groupby(player + ["track"])[["x", "y", "elapsed"]].diff()
    moves["metres"] = (step.x**2 + step.y**2) ** 0.5
    moves["seconds"] = step.elapsed
    moves["air"] = moves.seconds.where(~moves.on_ground, 0)
    sums = moves.groupby(player)[["metres", "seconds", "air"]].sum()
    sums["in_air"] = sums.air / sums.seconds
    names = players.set_index(player)[["name", "game"]]
    print(names.join(sums[["metres", "seconds", "in_air"]]).sort_values("metres", ascending=False).round(2))

    try:
        import matplotlib.pyplot as plot
    except ImportError:
        print("no heat map: matplotlib is not installed")
        return
    plot.hist2d(moves.x, moves.y, bins=100, cmin=1)
    plot.gca().set_aspect("equal")
    plot.savefig(folder / "heatmap.png")
    print(folder / "heatmap.png")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: speeds.py FOLDER, which wishdir export has written")
    main(pathlib.Path(sys.argv[1]))
