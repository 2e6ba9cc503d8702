package dev.wishdir.app.proxy;

import dev.wishdir.game.proxy.ProxyConfig;
import dev.wishdir.net.AddressLimits;

import picocli.CommandLine.Option;

/** The options that limit the number of clients. */
final class ClientLimitOptions {
    @Option(
            names = "--max-clients",
            paramLabel = "N",
            description = "Maximum number of clients (default ${DEFAULT-VALUE}).",
            defaultValue = "" + ProxyConfig.DEFAULT_MAX_CLIENTS)
    private int maxClients;

    @Option(
            names = "--max-clients-per-address",
            paramLabel = "N",
            description =
                    "Maximum number of clients of one address, except of this machine (default"
                            + " ${DEFAULT-VALUE}).",
            defaultValue = "" + AddressLimits.DEFAULT_MAX_SESSIONS)
    private int maxClientsPerAddress;

    boolean areValid() {
        return maxClients >= 1 && maxClientsPerAddress >= 1;
    }

    int maxClients() {
        return maxClients;
    }

    int maxClientsPerAddress() {
        return maxClientsPerAddress;
    }
}
