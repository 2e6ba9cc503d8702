package dev.wishdir.sauerbraten.server;

/** The team and model of one player. */
final class PlayerProfile {
    private String team = "good";
    private int teamReason = PlayerAppearance.TEAM_REASON_NONE;
    private int model;

    String team() {
        return team;
    }

    /** Why the team is what it is, as {@code N_SETTEAM} says. */
    int teamReason() {
        return teamReason;
    }

    /**
     * @param reason as {@code N_SETTEAM} says
     */
    void setTeam(String name, int reason) {
        team = name;
        teamReason = reason;
    }

    int model() {
        return model;
    }

    void setModel(int number) {
        model = number;
    }
}
