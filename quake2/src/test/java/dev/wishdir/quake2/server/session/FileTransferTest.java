package dev.wishdir.quake2.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.Random;

/** Files on their way to a client. */
class FileTransferTest {
    @Test
    @DisplayName("G16 a file is shared, and one block is owed however often it is asked for")
    void sendsOneBlockAtATime() {
        byte[] bytes = new byte[2500];
        new Random(1).nextBytes(bytes);
        FileTransfer transfer = new FileTransfer();
        transfer.request();
        assertThat(transfer.next()).as("no file").isEmpty();
        transfer.start(Bytes.wrap(bytes), 0);
        Writer arrived = new Writer(3000);
        for (int block = 0; block < 3; block++) {
            Bytes data = transfer.next().orElseThrow().data();
            arrived.append(data.toArray(), 0, data.length());
            assertThat(transfer.next()).as("not asked for").isEmpty();
            for (int i = 0; i < 100; i++) {
                transfer.request();
            }
        }
        assertThat(transfer.next()).as("at the end").isEmpty();
        assertThat(arrived.toByteArray()).isEqualTo(bytes);
    }
}
