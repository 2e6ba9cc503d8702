package dev.wishdir.bedrock.server.join;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.operator.OtherServers;
import dev.wishdir.wire.AddressText;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.IntSupplier;

/** Decides which clients may join: bans, and the limit on players. */
public final class AdmissionControl {
    private final EndpointContext context;
    private final int maxClients;
    private final IntSupplier joinedClients;

    /**
     * @param maxClients maximum number of players of this game
     * @param joinedClients their number now
     */
    public AdmissionControl(EndpointContext context, int maxClients, IntSupplier joinedClients) {
        this.context = context;
        this.maxClients = maxClients;
        this.joinedClients = joinedClients;
    }

    /**
     * The reason to refuse a client; empty if it may join, or be sent to another server later.
     *
     * @param account verified by Xbox; empty for none
     */
    Optional<LeaveReason> refusal(InetAddress address, String account) {
        return context.banned(BedrockCodec.NAME, address, account)
                .or(() -> room().isPresent() ? Optional.empty() : refusalIfFull());
    }

    /** The reason to refuse a client while the server is full; a client is counted once joined. */
    Optional<LeaveReason> refusalIfFull() {
        return context.arena().isFull() || joinedClients.getAsInt() >= maxClients
                ? Optional.of(context.full(BedrockCodec.NAME))
                : Optional.empty();
    }

    /**
     * Another server of the arena with room, to which a client can be sent; empty if there is none.
     */
    public Optional<OtherServers.Address> room() {
        return context.room(BedrockCodec.NAME);
    }

    /** Reports a refused client to the operator. */
    public void reportRefusal(long now, InetSocketAddress from, LeaveReason why) {
        context.arena()
                .reportRefusal(now, BedrockCodec.NAME, AddressText.of(from.getAddress()), why);
    }
}
