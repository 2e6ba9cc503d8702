package dev.wishdir.examples;

import dev.wishdir.game.proxy.DatagramProxy;
import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.game.proxy.ProxyConfig;
import dev.wishdir.game.proxy.ProxyListener;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.FullSnapshot;
import dev.wishdir.quake3.message.Quake3Message;
import dev.wishdir.quake3.message.ServerMessage.Gamestate;
import dev.wishdir.quake3.message.ServerMessage.ServerCommand;
import dev.wishdir.quake3.proxy.Quake3ProxyCodec;
import dev.wishdir.wire.dissect.Direction;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A proxy for Quake III and OpenArena, whose clients see one player stand where they saw it first.
 * The server does not know of it.
 */
public final class FreezePlayer implements Interceptor<Quake3Message> {
    /** The configstring of the first player. */
    private static final int PLAYERS = 544;

    private static final Pattern CONFIGSTRING = Pattern.compile("cs (\\d+) \"(.*)\"\\s*");
    private static final List<EntityField> PLACE =
            List.of(
                    EntityField.POS_TR_BASE_0,
                    EntityField.POS_TR_BASE_1,
                    EntityField.POS_TR_BASE_2,
                    EntityField.POS_TR_DELTA_0,
                    EntityField.POS_TR_DELTA_1,
                    EntityField.POS_TR_DELTA_2);

    private final String name;

    /** The numbers of players of the name; a player's entity has the number of its slot. */
    private final Set<Integer> frozen = new HashSet<>();

    private EntityState place;

    FreezePlayer(String name) {
        this.name = name;
    }

    @Override
    public List<Quake3Message> onMessage(Direction direction, Quake3Message message) {
        switch (message) {
            case Gamestate state -> state.configstrings().forEach(this::onConfigstring);
            case ServerCommand command -> {
                Matcher text = CONFIGSTRING.matcher(command.text());
                if (text.matches()) {
                    onConfigstring(Integer.parseInt(text.group(1)), text.group(2));
                }
            }
            case FullSnapshot snapshot -> {
                FullSnapshot changed = snapshot;
                for (int number : frozen) {
                    EntityState state = snapshot.entities().get(number);
                    if (state != null) {
                        changed = changed.withEntity(number, atPlace(state));
                    }
                }
                return List.of(changed);
            }
            default -> {}
        }
        return List.of(message);
    }

    private void onConfigstring(int index, String text) {
        if (index >= PLAYERS && index < PLAYERS + EntityState.MAX_CLIENTS) {
            if ((text + "\\").startsWith("n\\" + name + "\\")) {
                frozen.add(index - PLAYERS);
            } else {
                frozen.remove(index - PLAYERS);
            }
        }
    }

    private EntityState atPlace(EntityState state) {
        if (place == null) {
            place = state;
        }
        EntityState standing = state;
        for (EntityField field : PLACE) {
            boolean moves = field.label().startsWith("pos.trDelta");
            standing = standing.with(field, moves ? 0 : place.get(field));
        }
        return standing;
    }

    /** Opens the proxy on a port of this machine, 0 for any. */
    static CompletableFuture<DatagramProxy> start(
            DutyCycle cycle, int port, InetSocketAddress server, String name) {
        return DatagramProxy.start(
                cycle,
                ProxyConfig.local(
                        new Quake3Game().proxyRules(),
                        new Quake3ProxyCodec(),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        server,
                        () -> new FreezePlayer(name)),
                ProxyListener.NONE);
    }

    /** PORT SERVER-HOST SERVER-PORT NAME; clients connect to PORT of this machine. */
    public static void main(String[] arguments) throws InterruptedException {
        try (NettyLoop loop = new NettyLoop("proxy")) {
            InetSocketAddress server =
                    new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
            start(loop.cycle(), Integer.parseInt(arguments[0]), server, arguments[3]).join();
            Thread.currentThread().join();
        }
    }
}
