package dev.wishdir.quake2.server.join;

import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.quake2.server.combat.LifeHandler;
import dev.wishdir.quake2.server.session.ClientAddress;
import dev.wishdir.quake2.server.session.ClientPlayer;
import dev.wishdir.quake2.server.session.ClientSettings;
import dev.wishdir.quake2.server.session.ConnectRequest;
import dev.wishdir.quake2.server.session.PacketSender;
import dev.wishdir.quake2.server.session.Quake2Counters;
import dev.wishdir.quake2.server.session.Quake2Session;
import dev.wishdir.quake2.server.view.PlayerEntityTable;
import dev.wishdir.quake2.server.view.RunningLevel;

import java.util.function.Supplier;

/** Makes the sessions of accepted clients. */
public final class SessionFactory {
    private static final int MIN_FRAMES_PER_SECOND = 10;

    private final EndpointContext context;
    private final PlayerEntityTable entityTable;
    private final RunningLevel level;
    private final PacketSender sender;
    private final Quake2Counters counters;
    private final int maxFrames;
    private final Supplier<LifeHandler> lives;

    /**
     * @param maxFrames frames per second, for clients that request more than ten
     * @param lives makes the parts of players in matches
     */
    public SessionFactory(
            EndpointContext context,
            PlayerEntityTable entityTable,
            RunningLevel level,
            PacketSender sender,
            Quake2Counters counters,
            int maxFrames,
            Supplier<LifeHandler> lives) {
        this.lives = lives;
        this.context = context;
        this.entityTable = entityTable;
        this.level = level;
        this.sender = sender;
        this.counters = counters;
        this.maxFrames = maxFrames;
    }

    /**
     * Makes a session.
     *
     * @param place that it takes among the sessions of its address
     * @param slot taken for it
     */
    public Quake2Session create(ConnectRequest request, AddressLimits.Place place, int slot) {
        ClientSettings settings = new ClientSettings(request.userInfo());
        ClientPlayer player =
                new ClientPlayer(
                        context.arena(),
                        entityTable,
                        level,
                        context.cycle()::sleptNanos,
                        counters,
                        slot,
                        settings,
                        lives.get());
        return new Quake2Session(
                new ClientAddress(request, place, context.passwordProof()),
                player,
                newServerCount(),
                Math.clamp(settings.framesPerSecond(), MIN_FRAMES_PER_SECOND, maxFrames),
                sender,
                counters,
                context.cycle()::now);
    }

    /** A random number of the map for one client, known only to it. */
    public int newServerCount() {
        return context.random().nextInt() & Integer.MAX_VALUE;
    }
}
