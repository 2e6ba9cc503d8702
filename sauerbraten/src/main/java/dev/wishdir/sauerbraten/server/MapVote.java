package dev.wishdir.sauerbraten.server;

/** The map and mode for which a player votes. */
record MapVote(String map, GameMode mode) {
    @Override
    public String toString() {
        return mode.title() + " on map " + map;
    }
}
