package dev.wishdir.quake3.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.game.BotController;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.RecordingClientListener;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.server.Quake3Endpoint;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Our client while somebody forges answers of its server, in virtual time. */
class Quake3ClientTest {
    private static final long SECOND = 1_000_000_000L;

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final RecordingClientListener told = new RecordingClientListener();
    private final InetSocketAddress address;

    /** The address of the client that sent last. */
    private InetSocketAddress client = new InetSocketAddress(0);

    Quake3ClientTest() throws IOException {
        DutyCycle cycle = network.cycle();
        Arena arena = new Arena(Level.BOX, 10);
        cycle.add(arena::advance);
        Quake3Endpoint endpoint =
                Quake3Endpoint.open(
                        EndpointContext.builder(
                                        cycle,
                                        new InetSocketAddress(
                                                InetAddress.getLoopbackAddress(), 27_960),
                                        arena)
                                .password("open")
                                .random(new Random(5))
                                .build(),
                        new Quake3MapCatalog(Optional.empty()),
                        "baseoa",
                        List.of(),
                        List.of());
        address = endpoint.address();
        network.tap((_, from, to, _) -> {
            if (to.equals(address)) {
                client = from;
            }
        });
        network.conditions(new Conditions(0, 0, SECOND / 50, 0));
    }

    private Quake3Client connect(String password) throws IOException {
        return Quake3Client.connect(
                ClientConfig.builder(network.cycle(), address)
                        .name("anna")
                        .password(password)
                        .controller((_, _) -> BotController.PlayerInput.look(0, 0))
                        .listener(told)
                        .random(new Random(1))
                        .build());
    }

    private void forge(String answer) {
        network.inject(address, client, new OutOfBand(answer).datagram().toArray());
    }

    @Test
    void endsOnRefusal() throws IOException {
        connect("wrong");
        network.run(2 * SECOND);
        assertThat(told.events)
                .singleElement()
                .asString()
                .startsWith(ClientListener.EndReason.REFUSED.name());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "print\nServer is full.\n",
                "print\nNo or bad challenge for your address.\n",
                "connectResponse",
                "connectResponse 5",
                "challengeResponse 5",
                "challengeResponse 5 6 71"
            })
    @DisplayName("D18: forged answers while a client connects")
    void joinsInSpiteOfForgedAnswers(String forged) throws IOException {
        Quake3Client joining = connect("open");
        for (int i = 0; i < 100; i++) {
            forge(forged);
            network.run(SECOND / 100);
        }
        assertThat(network.runUntil(joining::joined, 10 * SECOND)).isTrue();
    }

    @Test
    @DisplayName("D18: a forged acceptance of a request that was lost")
    void connectsAgainAfterForgedAcceptance() throws IOException {
        Quake3Client joining = connect("open");
        network.run(SECOND * 3 / 100);
        network.conditions(new Conditions(1, 0, SECOND / 50, 0));
        network.run(SECOND * 2 / 100);
        forge("connectResponse");
        network.run(SECOND);
        network.conditions(new Conditions(0, 0, SECOND / 50, 0));
        assertThat(network.runUntil(joining::joined, 10 * SECOND)).isTrue();
    }
}
