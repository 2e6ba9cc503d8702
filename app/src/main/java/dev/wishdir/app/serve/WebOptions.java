package dev.wishdir.app.serve;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.HostPort;
import dev.wishdir.app.command.Web;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.web.Page;
import dev.wishdir.web.WebServer;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Option;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The options about the web port of a server. */
final class WebOptions {
    private static final String OFF = "off";

    @Option(
            names = "--web",
            paramLabel = "ADDR|off",
            description =
                    "Address of the web port with the live map and the metrics, or off: PORT (on"
                            + " 127.0.0.1), ADDR or ADDR:PORT (default ${DEFAULT-VALUE}).",
            defaultValue = OFF)
    private String web = "";

    @Option(
            names = "--web-allowed-host",
            paramLabel = "NAME",
            description =
                    "Another host name under which browsers request the web port, for example that"
                            + " of a reverse proxy. Can be repeated.")
    private List<String> webHosts = new ArrayList<>();

    @Option(
            names = "--download-url",
            paramLabel = "URL|off",
            description =
                    "URL under which clients download maps over HTTP, if their game can, for"
                        + " example that of a reverse proxy in front of --web. off: clients"
                        + " download in the game only. Without it, the address of this machine that"
                        + " the client uses, if --web is on.",
            defaultValue = "")
    private String downloadUrl = "";

    String downloadUrl() {
        return downloadUrl;
    }

    /** The address of the port; empty if it is off. */
    Optional<InetSocketAddress> address() throws CommandFailedException {
        return web.equals(OFF) ? Optional.empty() : Optional.of(Web.address(web));
    }

    void check(CommandLine line, SettingProblems problems) {
        problems.check(() -> checkWeb(line, web));
        problems.check(() -> {
            if (!downloadUrl.matches("|off|https?://[^\\s\"\\\\]+")) {
                throw new CommandLine.ParameterException(
                        line,
                        "--download-url must be off or a URL that begins with http:// or https://,"
                                + " is "
                                + downloadUrl);
            }
        });
    }

    /**
     * Starts the web server.
     *
     * @param trusted reverse proxies on other machines
     * @return null if it is off
     */
    @Nullable WebServer start(List<AddressRange> trusted, List<Page> pages)
            throws CommandFailedException {
        return Web.start(web, webHosts, trusted, pages);
    }

    /**
     * Checks {@code --web}.
     *
     * @throws CommandLine.ParameterException if it is neither an address nor off
     * @throws CommandFailedException if its host is unknown
     */
    static void checkWeb(CommandLine line, String web) throws CommandFailedException {
        if (!web.equals(OFF)) {
            HostPort.resolve(line, "--web", web, WebServer.PORT);
        }
    }
}
