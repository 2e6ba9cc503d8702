package dev.wishdir.bedrock.server.session;

import dev.wishdir.bedrock.protocol.transport.Transport;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The sessions of an endpoint, by transport and by the address from which each connected. */
public final class ClientTable {
    private record Row(InetSocketAddress address, BedrockSession session) {}

    private final Map<Transport, Row> rows = new LinkedHashMap<>();
    private final Map<InetSocketAddress, BedrockSession> byAddress = new HashMap<>();

    public void add(Transport transport, BedrockSession session) {
        // The transport's address may change, as a client of NetherNet may choose another path.
        InetSocketAddress address = transport.remote();
        rows.put(transport, new Row(address, session));
        byAddress.put(address, session);
    }

    /** Removes a session; null if there is none. */
    public @Nullable BedrockSession remove(Transport transport) {
        Row row = rows.remove(transport);
        if (row == null) {
            return null;
        }
        byAddress.remove(row.address, row.session);
        return row.session;
    }

    /** The session over a transport; null if there is none. */
    public @Nullable BedrockSession find(Transport transport) {
        Row row = rows.get(transport);
        return row == null ? null : row.session;
    }

    /** The session that connected from an address; null if there is none. */
    public @Nullable BedrockSession find(InetSocketAddress address) {
        return byAddress.get(address);
    }

    /** All sessions from the oldest, copied: closing one removes it. */
    public List<BedrockSession> all() {
        return rows.values().stream().map(Row::session).toList();
    }

    public Collection<Transport> transports() {
        return List.copyOf(rows.keySet());
    }
}
