package dev.wishdir.arena.combat;

/** Reason for which a player can't change its team. */
public enum TeamRefusal {
    /** The match has no teams, or the player takes no part in it. */
    NO_TEAMS("This match has no teams."),
    SAME_TEAM("You are in this team already."),
    /** It changed a few seconds ago. */
    TOO_SOON("You have just changed your team: wait a few seconds."),
    /** One team would have two players more than the other, or more than that. */
    UNEVEN("That team has enough players: the teams would be uneven.");

    private final String notice;

    TeamRefusal(String notice) {
        this.notice = notice;
    }

    /** The notice to the player, with the same wording in every game. */
    public String notice() {
        return notice;
    }
}
