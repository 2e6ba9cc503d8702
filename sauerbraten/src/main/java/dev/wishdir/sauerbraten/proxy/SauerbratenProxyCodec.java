package dev.wishdir.sauerbraten.proxy;

import dev.wishdir.game.proxy.FieldPath;
import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.game.proxy.MessageFields;
import dev.wishdir.game.proxy.ProxyCodec;
import dev.wishdir.game.proxy.ProxySession;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.protocol.PlayerKeys;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.wire.dissect.Direction;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Changes the messages of Cube 2: Sauerbraten in a proxy. The ENet connection of a client ends at
 * the proxy, which has one of its own to the server; packets that the interceptor leaves as they
 * are, or that can't be decoded, are passed on byte for byte.
 *
 * <p>An interceptor gets the messages inside {@code N_CLIENT} one by one as {@link
 * RelayMessage.Relayed}. What it returns is sent in the packet of the message, or, if the game has
 * another channel for it, in a packet of that channel.
 */
public final class SauerbratenProxyCodec implements ProxyCodec<SauerbratenMessage> {
    private static final SauerbratenCodec CODEC = SauerbratenCodec.V260;

    /** The fields of Sauerbraten's messages, for rules. */
    private static final class SauerbratenFields implements MessageFields<SauerbratenMessage> {
        @Override
        public String name(SauerbratenMessage message) {
            return message instanceof RelayMessage.Relayed relayed
                    ? name(relayed.message())
                    : CODEC.name(message);
        }

        @Override
        public List<SauerbratenMessage> examples() {
            List<SauerbratenMessage> examples = new ArrayList<>();
            for (SauerbratenMessage message : CODEC.blanks(Direction.S2C)) {
                // A relayed message has the number of its sender too.
                examples.add(
                        CODEC.relayed(message) ? new RelayMessage.Relayed(0, message) : message);
            }
            examples.addAll(CODEC.blanks(Direction.C2S));
            return examples;
        }

        @Override
        public Map<String, Object> values(SauerbratenMessage message) {
            return message.fields();
        }

        @Override
        public SauerbratenMessage with(SauerbratenMessage message, String path, String value) {
            return message.with(FieldPath.of(path, value));
        }
    }

    private final PlayerKeys keys;

    /** A codec of a proxy without keys. */
    public SauerbratenProxyCodec() {
        this(PlayerKeys.none());
    }

    /**
     * @param keys that the proxy proves to servers in place of clients that name none
     */
    public SauerbratenProxyCodec(PlayerKeys keys) {
        this.keys = keys;
    }

    @Override
    public ProxySession.Factory sessions(
            Supplier<? extends Interceptor<SauerbratenMessage>> interceptors) {
        SecureRandom random = new SecureRandom();
        AddressLimits limits = AddressLimits.standard(random.nextLong());
        return out -> new SauerbratenProxySession(interceptors.get(), keys, out, limits, random);
    }

    @Override
    public MessageFields<SauerbratenMessage> fields() {
        return new SauerbratenFields();
    }
}
