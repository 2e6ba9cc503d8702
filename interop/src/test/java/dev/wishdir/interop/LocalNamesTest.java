package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.nethernet.identity.IdentityIssuer;
import dev.wishdir.nethernet.identity.IssuerDiscovery;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * No test of this module reaches another machine by a name, nor does a server that {@link Peer}
 * starts: Java resolves only what stands in a file.
 */
class LocalNamesTest {
    /** The property of the JDK that names the file. */
    static final String HOSTS_FILE = "jdk.net.hosts.file";

    @Test
    void resolvesOnlyLocalhost() throws UnknownHostException {
        assertThat(System.getProperty(HOSTS_FILE)).endsWith("hosts");
        assertThat(InetAddress.getByName("localhost").isLoopbackAddress()).isTrue();
        for (String name :
                new String[] {
                    IssuerDiscovery.Location.MOJANG.document().getHost(),
                    IssuerDiscovery.Location.MOJANG.fallback().getHost(),
                    "example.com"
                }) {
            assertThatThrownBy(() -> InetAddress.getByName(name))
                    .isInstanceOf(UnknownHostException.class);
        }
    }

    @Test
    void failsToFetchKeysOfMojang() {
        IssuerDiscovery discovery =
                new IssuerDiscovery(
                        IssuerDiscovery.Location.MOJANG,
                        IdentityIssuer.MOJANG,
                        Optional.empty(),
                        Optional.empty());
        assertThatThrownBy(discovery::fetch).isInstanceOf(IOException.class);
    }
}
