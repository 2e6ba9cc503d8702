package dev.wishdir.bedrock.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.bedrock.server.view.SessionFixture;
import dev.wishdir.bedrock.server.view.SessionFixture.FakeTransport;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;

class ClientTableTest {
    private final SessionFixture fixture = new SessionFixture();
    private final ClientTable table = new ClientTable();
    private final FakeTransport ann = new FakeTransport(1);
    private final FakeTransport bob = new FakeTransport(2);
    private final BedrockSession ofAnn = fixture.session(ann);
    private final BedrockSession ofBob = fixture.session(bob);

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    @Test
    void findsSessionByTransportAndAddress() {
        table.add(ann, ofAnn);
        table.add(bob, ofBob);
        assertThat(table.find(ann)).isSameAs(ofAnn);
        assertThat(table.find(at(2))).isSameAs(ofBob);
        assertThat(table.find(at(3))).isNull();
        assertThat(table.all()).containsExactly(ofAnn, ofBob);
        assertThat(table.transports()).containsExactly(ann, bob);
    }

    @Test
    void forgetsRemovedSession() {
        table.add(ann, ofAnn);
        assertThat(table.remove(ann)).isSameAs(ofAnn);
        assertThat(table.remove(ann)).isNull();
        assertThat(table.find(ann)).isNull();
        assertThat(table.find(at(1))).isNull();
        assertThat(table.all()).isEmpty();
    }

    /** A client of NetherNet may choose another path. */
    @Test
    void keepsAddressFromWhichClientConnected() {
        table.add(ann, ofAnn);
        ann.remote = at(9);
        assertThat(table.find(at(1))).isSameAs(ofAnn);
        assertThat(table.find(at(9))).isNull();
        table.remove(ann);
        assertThat(table.find(at(1))).isNull();
    }

    /** A client that connects again may do so before its old connection has ended. */
    @Test
    void keepsNewSessionOfAddressWhenOldOneEnds() {
        table.add(ann, ofAnn);
        bob.remote = at(1);
        table.add(bob, ofBob);
        assertThat(table.find(at(1))).isSameAs(ofBob);
        table.remove(ann);
        assertThat(table.find(at(1))).isSameAs(ofBob);
        assertThat(table.all()).containsExactly(ofBob);
    }

    @Test
    void allowsRemovalWhileSessionsAreVisited() {
        table.add(ann, ofAnn);
        table.add(bob, ofBob);
        table.transports().forEach(table::remove);
        assertThat(table.all()).isEmpty();
    }
}
