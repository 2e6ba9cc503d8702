"""Speeds, distances and a heat map from the tables of `wishdir export`: python3 speeds.py FOLDER."""

import pathlib
import sys

import pandas as pd


def table(folder: pathlib.Path, name: str) -> pd.DataFrame:
    """A table, from Parquet or CSV."""
    parquet = folder / (name + ".parquet")
    return pd.read_parquet(parquet) if parquet.exists() else pd.read_csv(folder / (name + ".csv"))


def main(folder: pathlib.Path) -> None:
    players = table(folder, "players")
    moves = table(folder, "movements")
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
        return
    plot.hist2d(moves.x, moves.y, bins=100, cmin=1)
    plot.gca().set_aspect("equal")
    plot.savefig(folder / "heatmap.png")
    print(folder / "heatmap.png")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
