package dev.wishdir.net.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ConnectTimeoutException;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;

final class NettyLineClientTest {
    @Test
    void namesOnlyAResetAReset() {
        assertThat(NettyLineClient.reason(new IOException("Connection timed out")))
                .isEqualTo("Connection timed out");
        assertThat(NettyLineClient.reason(new IOException("No buffer space available")))
                .isEqualTo("No buffer space available");
        assertThat(NettyLineClient.reason(new IOException())).isEqualTo("IOException");
    }

    @Test
    void namesOnlyARefusalARefusal() {
        assertThat(NettyLineClient.reason(new ConnectException("Connection refused: /127.0.0.1")))
                .isEqualTo("it refused the connection");
        assertThat(NettyLineClient.reason(new ConnectException("Cannot assign requested address")))
                .isEqualTo("Cannot assign requested address");
        assertThat(NettyLineClient.reason(new ConnectTimeoutException("")))
                .isEqualTo("it did not answer");
        assertThat(NettyLineClient.reason(new NoRouteToHostException()))
                .isEqualTo("there is no route to it");
    }
}
