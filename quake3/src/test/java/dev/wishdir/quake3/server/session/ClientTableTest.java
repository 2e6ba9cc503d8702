package dev.wishdir.quake3.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.quake3.server.view.CombatEntities;
import dev.wishdir.quake3.server.view.MovementCache;
import dev.wishdir.quake3.server.view.PlayerConfigstrings;
import dev.wishdir.quake3.server.view.PlayerMarks;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Sessions in their slots, from connect until they are removed. */
class ClientTableTest {
    private static final InetAddress HOME = InetAddress.getLoopbackAddress();

    private final AddressLimits limits =
            AddressLimits.trusting(List.of(AddressRange.parse(HOME.getHostAddress())), 8);
    private final Arena arena = new Arena(Level.BOX, 2);
    private final ClientTable clients = new ClientTable(3);
    private final EndpointContext context =
            EndpointContext.builder(
                            new SimulatedNetwork(1).cycle(), new InetSocketAddress(HOME, 1), arena)
                    .addressLimits(limits)
                    .build();
    private final SessionLifecycle lifecycle =
            new SessionLifecycle(arena, clients, context.memoryBudget(), context.httpDownloads());
    private final MovementCache movementCache =
            new MovementCache(() -> 0, _ -> 0, new PlayerMarks(arena.match(), () -> 0));
    private final Quake3Session.Services services =
            new Quake3Session.Services(
                    arena,
                    movementCache,
                    clients::find,
                    new PlayerConfigstrings(arena, clients::find, true),
                    new CombatEntities(),
                    true,
                    lifecycle);

    /** Adds a session, whose qport is also its port, in the next free slot. */
    private Quake3Session connect(int qport, long now) {
        InfoString userinfo =
                new InfoString()
                        .put("qport", qport)
                        .put("name", "n" + qport)
                        .put("protocol", Protocol.QUAKE3_68.number());
        ClientTransport transport =
                new ClientTransport(
                        new ClientPeer(),
                        new InetSocketAddress(HOME, qport),
                        userinfo,
                        1,
                        movementCache.deltas());
        Quake3Session session =
                new Quake3Session(
                        services,
                        clients.freeSlot(),
                        new ClientChannel(transport, userinfo, Optional.empty()),
                        userinfo,
                        new Quake3Session.Admission(
                                requireNonNull(limits.enter(now, HOME)), Proof.NONE),
                        now);
        lifecycle.add(session);
        return session;
    }

    @Test
    void findsSessions() {
        Quake3Session one = connect(10, 0);
        Quake3Session two = connect(11, 0);
        assertThat(clients.find(HOME, 11)).isSameAs(two);
        assertThat(clients.find(HOME, 12)).isNull();
        assertThat(clients.freeSlots()).isEqualTo(1);
        assertThat(clients.freeSlot()).isEqualTo(2);
        assertThat(clients.isKnown(HOME)).isTrue();
        assertThat(clients.player(one.address())).isEmpty();
        assertThat(lifecycle.join(0, one)).isTrue();
        assertThat(clients.player(one.address())).isPresent();
        assertThat(clients.players()).isEqualTo(1);
        assertThat(clients.find(one.player().orElseThrow().id())).isSameAs(one);
        assertThat(clients).containsExactly(one, two);
    }

    @Test
    void iteratesWhileSessionsAreRemoved() {
        connect(10, 0);
        connect(11, 0);
        connect(12, 0);
        List<Integer> seen = new ArrayList<>();
        for (Quake3Session session : clients) {
            seen.add(session.clientNum());
            lifecycle.remove(0, session, LeaveReason.LEFT);
        }
        assertThat(seen).containsExactly(0, 1, 2);
        assertThat(clients).isEmpty();
        assertThat(clients.freeSlot()).isZero();
    }

    @Test
    void choosesOldestClientThatHasSentNothing() {
        Quake3Session newest = connect(10, 5);
        Quake3Session oldest = connect(11, 3);
        Quake3Session joined = connect(12, 1);
        lifecycle.join(5, joined);
        assertThat(clients.oldestUnproven()).isSameAs(oldest);
        lifecycle.remove(5, oldest, LeaveReason.TIMED_OUT);
        assertThat(clients.oldestUnproven()).isSameAs(newest);
    }

    @Test
    void choosesLongestIdleClientFromTimeoutOn() {
        long second = 1_000_000_000;
        Quake3Session first = connect(10, 0);
        Quake3Session later = connect(11, second);
        assertThat(clients.longestIdle(5 * second - 1, HOME)).isNull();
        assertThat(clients.longestIdle(5 * second, HOME)).isSameAs(first);
        lifecycle.drop(6 * second, first, LeaveReason.TIMED_OUT);
        assertThat(clients.longestIdle(6 * second, HOME)).as("no zombie").isSameAs(later);
    }

    @Test
    void keepsSlotOfDroppedClientForTwoSeconds() {
        Quake3Session session = connect(10, 0);
        lifecycle.join(0, session);
        lifecycle.drop(0, session, LeaveReason.LEFT);
        assertThat(arena.players()).isEmpty();
        assertThat(clients.players()).isZero();
        assertThat(session.isZombie()).isTrue();
        assertThat(clients.contains(session)).isTrue();
        assertThat(session.isGone(1_999_999_999)).isFalse();
        assertThat(session.isGone(2_000_000_000)).isTrue();
        lifecycle.remove(2_000_000_000, session, LeaveReason.LEFT);
        assertThat(clients.contains(session)).isFalse();
    }

    @Test
    void refusesToJoinFullArena() {
        assertThat(lifecycle.join(0, connect(10, 0))).isTrue();
        assertThat(lifecycle.join(0, connect(11, 0))).isTrue();
        Quake3Session third = connect(12, 0);
        assertThat(lifecycle.join(0, third)).isFalse();
        assertThat(third.player()).isEmpty();
    }

    @Test
    void followsStatesOfConnection() {
        Quake3Session session = connect(10, 7);
        assertThat(session.state()).isEqualTo(new Quake3Session.State.Connected(7));
        session.setPure(true);
        assertThat(session.isPure()).as("no gamestate yet").isFalse();
        session.activate(9);
        session.setPure(true);
        assertThat(session.state()).isEqualTo(new Quake3Session.State.Active(true));
        assertThat(session.loadingNanos(20)).isZero();
        session.beginLevel(30, 0);
        assertThat(session.isPure()).as("of another level").isFalse();
        assertThat(session.loadingNanos(35)).isEqualTo(5);
    }
}
