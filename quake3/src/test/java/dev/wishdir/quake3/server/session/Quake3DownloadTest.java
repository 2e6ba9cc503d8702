package dev.wishdir.quake3.server.session;

import static dev.wishdir.quake3.server.session.ScriptedClient.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.Player;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/** How clients get the level's file, over HTTP or in band. */
class Quake3DownloadTest {
    private static final InetAddress LOCAL = InetAddress.getLoopbackAddress();

    private final TestServer server = new TestServer();

    @BeforeEach
    void serve() throws IOException {
        server.serve(new Quake3MapCatalog(Optional.empty()), "");
        server.httpDownloads.setUrlProvider(_ -> Optional.of("http://192.0.2.1:8260/files"));
    }

    /** A client of the loopback address that has the gamestate and not yet the files. */
    private ScriptedClient connected() {
        ScriptedClient client = server.client().connect("\\name\\client");
        client.send();
        server.network.run(SECOND / 2);
        assertThat(client.gamestates).isEqualTo(1);
        client.send();
        server.network.run(SECOND / 10);
        return client;
    }

    private static String url(ScriptedClient client) {
        return client.serverinfo.get("sv_dlURL");
    }

    private static String pak(ScriptedClient client) {
        return client.configstrings.system().get("sv_referencedPakNames") + ".pk3";
    }

    /** A bot fetches nothing, and neither does a client that has the file: that is no failure. */
    @Test
    void givesUrlToAddressWhoseClientsNeededNoFile() throws IOException {
        server.bot("bot");
        ScriptedClient owner = server.client().join("owner");
        assertThat(url(owner)).isNotEmpty();
        server.network.run(5 * SECOND);
        owner.say("disconnect");
        server.network.run(5 * SECOND);
        assertThat(url(connected())).isNotEmpty();
    }

    /** The program of a client, which has left, connects again. */
    private ScriptedClient again(ScriptedClient client) {
        client.say("disconnect");
        server.network.run(3 * SECOND);
        client.gone = true;
        int port = client.address.getPort();
        return new ScriptedClient(server.network, TestServer.ADDRESS, port, 68);
    }

    /** Such a client ends with an error about the map; only while it connects it shows a text. */
    @Test
    void tellsClientThatLeftWithoutDownloadWhatToType() throws IOException {
        ScriptedClient failed = again(connected());
        assertThat(connected().notices).as("another client of the address").isZero();
        server.bot("bot");
        failed.connect("\\name\\client").send();
        assertThat(failed.notices).isEqualTo(MissingFilesTable.NOTICES);
        server.network.run(SECOND / 2);
        failed.send();
        server.network.run(SECOND / 10);
        failed.say("download " + pak(failed));
        server.network.run(SECOND);
        assertThat(failed.blocks).isNotEmpty();
        assertThat(again(failed).connect("\\name\\client").notices).as("it downloads").isZero();
        assertThat(server.arena.players()).extracting(Player::name).contains("bot");
    }

    @Test
    void tellsClientThatHasMapNothing() {
        ScriptedClient player = again(server.client().join("owner"));
        assertThat(player.connect("\\name\\owner").notices).isZero();
    }

    @Test
    void givesNoUrlToAddressWhoseClientLeftWithoutFile() {
        ScriptedClient first = connected();
        assertThat(url(first)).isNotEmpty();
        first.say("disconnect");
        server.network.run(SECOND);
        ScriptedClient second = connected();
        assertThat(url(second)).isEmpty();
        second.say("download " + pak(second));
        server.network.run(SECOND);
        assertThat(second.blocks).isNotEmpty();
        assertThat(server.httpDownloads.file("quake3", pak(second), LOCAL)).isPresent();
        assertThat(url(connected())).as("the web server is reached").isNotEmpty();
    }

    @Test
    void givesUrlToAddressWhoseClientFetchedFile() {
        ScriptedClient first = connected();
        assertThat(server.httpDownloads.file("quake3", pak(first), LOCAL)).isPresent();
        first.say("disconnect");
        server.network.run(SECOND);
        assertThat(url(connected())).isNotEmpty();
    }

    /** The client acknowledges every 50 ms what it has received, as the game does. */
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 25000, 300000, 700000",
        "192.168.1.7, 25000, 300000, 700000",
        "203.0.113.7, 25000, 20000, 25500",
        "203.0.113.7, 90000, 70000, 91000",
    })
    void sendsFileAsFastAsNetworkAndRateAllow(String address, int rate, int min, int max)
            throws IOException {
        ScriptedClient client =
                new ScriptedClient(
                                server.network,
                                TestServer.ADDRESS,
                                new InetSocketAddress(InetAddress.ofLiteral(address), 41_000),
                                68)
                        .joinWith("\\name\\client\\rate\\" + rate);
        long begun = server.network.now();
        client.say("download " + pak(client));
        int bytes = client.datagramBytes;
        int acknowledged = 0;
        while (client.blocks.isEmpty() || client.blocks.getLast().data().length() > 0) {
            assertThat(server.network.now() - begun).isLessThan(30 * SECOND);
            server.network.run(SECOND / 20);
            while (acknowledged < client.blocks.size()) {
                client.say("nextdl " + acknowledged++);
            }
        }
        double seconds = (server.network.now() - begun) / (double) SECOND;
        assertThat((client.datagramBytes - bytes) / seconds).isBetween((double) min, (double) max);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        for (ServerMessage.Download block : client.blocks) {
            file.write(block.data().toArray());
        }
        assertThat(Bytes.wrap(file.toByteArray()))
                .isEqualTo(server.httpDownloads.file("quake3", pak(client), LOCAL).orElseThrow());
    }
}
