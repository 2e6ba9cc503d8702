package dev.wishdir.game;

import dev.wishdir.game.proxy.ProxyCodec;
import dev.wishdir.game.proxy.ProxyKind;
import dev.wishdir.game.proxy.ProxyRules;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The proxies of a game. */
public interface GameProxy {
    /** Rules by which a proxy passes on its datagrams; unchanged by default. */
    default ProxyRules proxyRules() {
        return ProxyRules.UNCHANGED;
    }

    /** Codec by which a proxy changes its messages; empty, the default, if it can't. */
    default Optional<ProxyCodec<?>> proxyCodec() {
        return Optional.empty();
    }

    /** The settings of its proxies; on the command line {@code --NAME VALUE}. None by default. */
    default List<Game.Option> proxyOptions() {
        return List.of();
    }

    /**
     * A kind of proxy; by default one that passes on datagrams, and changes them with {@link
     * #proxyCodec}.
     *
     * @param options by {@link Game.Option#name}, only those that are set
     * @throws IllegalArgumentException for a wrong value; the message begins with "option" and its
     *     name
     * @throws IOException if a file of an option can't be read
     */
    default ProxyKind<?> proxy(Map<String, String> options) throws IOException {
        Optional<ProxyCodec<?>> codec = proxyCodec();
        return codec.isPresent() ? ProxyKind.ofDatagrams(codec.get()) : ProxyKind.ofDatagrams();
    }

    /**
     * Note for the operator of a proxy, such as what does not pass, as part of a sentence; empty,
     * the default, for none.
     */
    default String proxyNote() {
        return "";
    }
}
