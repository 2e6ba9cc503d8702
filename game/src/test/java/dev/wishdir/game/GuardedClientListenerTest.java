package dev.wishdir.game;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

class GuardedClientListenerTest {
    @Test
    void joinsLinesOfTextsBySpaces() {
        List<String> texts = new ArrayList<>();
        ClientListener listener =
                new ClientListener() {
                    @Override
                    public void onChat(Client self, String name, String text) {
                        texts.add(text);
                    }

                    @Override
                    public void onEnded(Client self, EndReason ending, String reason) {
                        texts.add(reason);
                    }
                };
        Client self =
                (Client)
                        Proxy.newProxyInstance(
                                Client.class.getClassLoader(),
                                new Class<?>[] {Client.class},
                                (_, _, _) -> null);
        ClientListener guarded =
                GuardedClientListener.around(new SimulatedNetwork(1).cycle(), listener);
        guarded.onChat(self, "", "first\n\n  second\r\n third\n");
        guarded.onEnded(self, ClientListener.EndReason.KICKED, "\nkicked\nfor a minute");
        assertThat(texts).containsExactly("first second third", "kicked for a minute");
    }
}
