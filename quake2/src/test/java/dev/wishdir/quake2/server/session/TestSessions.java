package dev.wishdir.quake2.server.session;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.combat.Loadout;
import dev.wishdir.quake2.map.Quake2MapCatalog;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.netchan.InfoString;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.server.combat.EffectSink;
import dev.wishdir.quake2.server.combat.HitHandler;
import dev.wishdir.quake2.server.combat.LifeHandler;
import dev.wishdir.quake2.server.combat.MissileHandler;
import dev.wishdir.quake2.server.combat.ShotHandler;
import dev.wishdir.quake2.server.join.SessionFactory;
import dev.wishdir.quake2.server.join.SignOn;
import dev.wishdir.quake2.server.view.ConfigStrings;
import dev.wishdir.quake2.server.view.FlagEntities;
import dev.wishdir.quake2.server.view.ItemEntities;
import dev.wishdir.quake2.server.view.MissileEntities;
import dev.wishdir.quake2.server.view.PlayerEntityTable;
import dev.wishdir.quake2.server.view.RunningLevel;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;

/** The parts of an endpoint that sessions need, without one: what they send is kept. */
public final class TestSessions {
    public static final int MAX_PLAYERS = 3;

    /** The client's side of a session. */
    public record Client(Quake2Session session, Netchan netchan) {
        /** Lets the session receive an empty packet. */
        public boolean send(long now) {
            return session.receive(now, new Reader(packet()));
        }

        /** A packet with messages. */
        public byte[] packet(ClientMessage... messages) {
            Writer w = new Writer(Netchan.MAX_PACKET_BYTES);
            for (ClientMessage message : messages) {
                Quake2Codec.write(w, message);
            }
            return netchan.send(w.array(), w.position()).toByteArray();
        }
    }

    public final SimulatedNetwork network = new SimulatedNetwork(1);
    public final Arena arena = new Arena(Level.BOX, 16);
    public final Counters counters = new Counters();
    public final EndpointContext context;
    public final Quake2Counters quake2Counters = new Quake2Counters(counters);
    public final PlayerEntityTable entityTable;
    public final RunningLevel level;
    public final PacketSender sender;
    public final ClientTable clients;
    public final SignOn signOn;
    public int packets;

    /** The text of the last out-of-band packet that was sent; empty before. */
    public String said = "";

    public final SessionFactory factory;

    public TestSessions() throws IOException {
        this("", "");
    }

    /**
     * @param password to join, empty for none
     * @param adminPassword empty for none
     */
    public TestSessions(String password, String adminPassword) throws IOException {
        context =
                EndpointContext.builder(network.cycle(), new InetSocketAddress(27910), arena)
                        .maxPlayers(MAX_PLAYERS)
                        .password(password)
                        .adminPassword(adminPassword)
                        .counters(counters)
                        .random(new Random(1))
                        .build();
        ConfigStrings strings = new ConfigStrings(_ -> {});
        MissileEntities missiles = new MissileEntities();
        ItemEntities items = new ItemEntities(arena.match().items());
        FlagEntities flags = new FlagEntities(arena, strings);
        entityTable = new PlayerEntityTable(arena, strings, missiles, items, flags);
        UdpSocket socket =
                new UdpSocket() {
                    @Override
                    public InetSocketAddress local() {
                        return context.address();
                    }

                    @Override
                    public void send(InetSocketAddress to, byte[] data, int offset, int length) {
                        packets++;
                        byte[] packet = Arrays.copyOfRange(data, offset, offset + length);
                        OutOfBand.of(packet).ifPresent(text -> said = text.text());
                    }

                    @Override
                    public void close() {}
                };
        sender =
                new PacketSender(
                        socket, context.addressLimits().amplificationLimiter(), quake2Counters);
        level =
                new RunningLevel(
                        arena,
                        context.httpDownloads(),
                        strings,
                        items,
                        flags,
                        0,
                        new Quake2MapCatalog(Optional.empty()).load(""));
        EffectSink effects = (_, _, _) -> {};
        HitHandler hits = new HitHandler(arena);
        ShotHandler shots =
                new ShotHandler(
                        level,
                        effects,
                        hits,
                        new MissileHandler(level, effects, hits, missiles, new Random(1)),
                        new Random(1));
        factory =
                new SessionFactory(
                        context,
                        entityTable,
                        level,
                        sender,
                        quake2Counters,
                        120,
                        () ->
                                new LifeHandler(
                                        level, shots, effects, new Random(1), Loadout.BLASTER));
        clients = new ClientTable(context, entityTable, quake2Counters);
        signOn = new SignOn(strings, clients, quake2Counters);
    }

    /** Adds the session of a client at a host of a network, from port 27901. */
    public Client add(int host) {
        InetSocketAddress from =
                new InetSocketAddress(InetAddress.ofLiteral("10.0." + host + ".1"), 27901);
        ConnectRequest request =
                new ConnectRequest(from, host, 7, InfoString.of(Map.of("name", "c" + host)));
        AddressLimits.Place place =
                Objects.requireNonNull(context.addressLimits().enter(0, from.getAddress()));
        Quake2Session session = factory.create(request, place, clients.takeSlot().orElseThrow());
        clients.add(session);
        return new Client(session, Netchan.client(host));
    }

    /** Lets a client prove its address in the sign-on. */
    public void prove(Client client) {
        client.send(network.now());
        client.session.startSignOn();
        client.session.verify(OptionalInt.of(client.session.serverCount()));
        clients.onProven(client.session);
    }
}
