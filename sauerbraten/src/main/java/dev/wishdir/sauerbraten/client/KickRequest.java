package dev.wishdir.sauerbraten.client;

import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A kick of one player, requested as soon as the client has a privilege and the player is there.
 */
public final class KickRequest {
    /** The option of clients for the name of the player, without dashes. */
    public static final String OPTION = "kick";

    private static final int UNKNOWN = -1;

    /** Time after the welcome in which a key gives its privilege. */
    private static final long CLAIM_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final String name;
    private int self = UNKNOWN;
    private int victim = UNKNOWN;
    private boolean isPrivileged;
    private boolean isSent;
    private long problemAt = Long.MAX_VALUE;

    /**
     * @param name of the player, empty for none
     */
    KickRequest(String name) {
        this.name = name;
    }

    /** The request, if a message of the server has made it due. */
    Optional<SauerbratenMessage> after(long now, SauerbratenMessage message) {
        switch (message) {
            case SessionMessage.Welcome _ when !name.isEmpty() -> problemAt = now + CLAIM_NANOS;
            case SessionMessage.ServInfo info -> self = info.cn();
            case RosterMessage.InitClient client when client.name().equals(name) ->
                    victim = client.cn();
            case RosterMessage.CDis gone when gone.cn() == victim -> victim = UNKNOWN;
            case AdminMessage.CurrentMaster current ->
                    isPrivileged =
                            current.masters().stream()
                                    .anyMatch(it -> it.cn() == self && it.privilege() > 0);
            default -> {}
        }
        if (isSent || !isPrivileged || victim == UNKNOWN) {
            return Optional.empty();
        }
        isSent = true;
        return Optional.of(new AdminMessage.Kick(victim, ""));
    }

    /** Reason for which nothing is requested, once, when it is due. */
    Optional<String> problem(long now) {
        if (isSent || now < problemAt) {
            return Optional.empty();
        }
        problemAt = Long.MAX_VALUE;
        return Optional.of(
                name
                        + " is not kicked yet: "
                        + (isPrivileged
                                ? "no player of this name is here"
                                : "this client has no privilege, which a key gives"));
    }
}
