package dev.wishdir.bedrock.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.game.Ban;
import dev.wishdir.game.Bans;
import dev.wishdir.wire.AddressText;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.IntSupplier;

/** Decides which clients may join: bans, and the limit on players. */
final class AdmissionControl {
    private final Arena arena;
    private final Bans bans;
    private final int maxClients;
    private final IntSupplier joinedClients;

    /**
     * @param maxClients maximum number of players of this game
     * @param joinedClients their number now
     */
    AdmissionControl(Arena arena, Bans bans, int maxClients, IntSupplier joinedClients) {
        this.arena = arena;
        this.bans = bans;
        this.maxClients = maxClients;
        this.joinedClients = joinedClients;
    }

    /**
     * The reason to refuse a client; empty if it may join.
     *
     * @param account verified by Xbox; empty for none
     */
    Optional<LeaveReason> refusal(InetAddress address, String account) {
        return bans.find(BedrockCodec.NAME, address, account)
                .map(Ban::refusal)
                .or(this::refusalIfFull);
    }

    /** The reason to refuse a client while the server is full; a client is counted once joined. */
    Optional<LeaveReason> refusalIfFull() {
        return arena.isFull() || joinedClients.getAsInt() >= maxClients
                ? Optional.of(LeaveReason.of(LeaveReason.Code.SERVER_FULL))
                : Optional.empty();
    }

    /** Reports a refused client to the operator. */
    void reportRefusal(long now, InetSocketAddress from, LeaveReason why) {
        arena.reportRefusal(now, BedrockCodec.NAME, AddressText.of(from.getAddress()), why);
    }
}
