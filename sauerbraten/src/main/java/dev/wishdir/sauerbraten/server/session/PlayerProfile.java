package dev.wishdir.sauerbraten.server.session;

import dev.wishdir.sauerbraten.server.view.PlayerAppearance;

/** The team and model of one player. */
public final class PlayerProfile {
    private String team = "good";
    private int teamReason = PlayerAppearance.TEAM_REASON_NONE;
    private int model;

    public String team() {
        return team;
    }

    /** Reason of the team, as in {@code N_SETTEAM}. */
    int teamReason() {
        return teamReason;
    }

    /**
     * @param reason as {@code N_SETTEAM} says
     */
    public void setTeam(String name, int reason) {
        team = name;
        teamReason = reason;
    }

    public int model() {
        return model;
    }

    public void setModel(int number) {
        model = number;
    }
}
