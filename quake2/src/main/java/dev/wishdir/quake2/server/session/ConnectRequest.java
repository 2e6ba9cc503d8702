package dev.wishdir.quake2.server.session;

import dev.wishdir.quake2.netchan.InfoString;
import dev.wishdir.quake2.netchan.Numbers;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A client's {@code connect}. See docs/protocols/quake2.md, 1.
 *
 * @param from address of the client
 * @param qport the client's own number, by which its packets are known behind NAT; 0 to 65535
 * @param challenge that it returns; -1 if it returns none
 */
public record ConnectRequest(
        InetSocketAddress from, int qport, int challenge, InfoString userInfo) {
    /**
     * Parses the words of a request.
     *
     * @return empty if it has no qport or no valid userinfo
     */
    public static Optional<ConnectRequest> parse(InetSocketAddress from, List<String> words) {
        if (words.size() < 5) {
            return Optional.empty();
        }
        OptionalInt qport = Numbers.parse(words, 2);
        Optional<InfoString> userInfo = InfoString.parse(words.get(4));
        return qport.isEmpty() || userInfo.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new ConnectRequest(
                                from,
                                qport.getAsInt() & 0xFFFF,
                                Numbers.parse(words, 3).orElse(-1),
                                userInfo.get()));
    }

    /** The protocol version in the words of a request; -1 for none. */
    public static int protocol(List<String> words) {
        return Numbers.parse(words, 1).orElse(-1);
    }
}
