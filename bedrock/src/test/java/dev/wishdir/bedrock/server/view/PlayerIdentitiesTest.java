package dev.wishdir.bedrock.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.bedrock.message.Skin;

import org.junit.jupiter.api.Test;

import java.util.UUID;

class PlayerIdentitiesTest {
    private final PlayerIdentities identities = new PlayerIdentities(0xABCD);

    @Test
    void givesOddRuntimeIdsToClientsAndEvenOnesToForeignPlayers() {
        assertThat(identities.nextRuntimeId()).isEqualTo(1);
        assertThat(identities.nextRuntimeId()).isEqualTo(3);
        PlayerId client = new PlayerId(0, 9);
        identities.add(client, 3, Skin.BLANK);
        assertThat(identities.runtimeId(client)).isEqualTo(3);
        assertThat(identities.runtimeId(new PlayerId(0, 10))).isEqualTo(20);
        assertThat(identities.runtimeId(new PlayerId(1, 10))).isEqualTo((1L << 33) + 20);
    }

    @Test
    void countsClientsUntilTheyLeave() {
        PlayerId client = new PlayerId(0, 9);
        identities.add(client, 1, Skin.BLANK);
        assertThat(identities.isClient(client)).isTrue();
        assertThat(identities.clientCount()).isEqualTo(1);
        identities.remove(client);
        assertThat(identities.isClient(client)).isFalse();
        assertThat(identities.clientCount()).isZero();
    }

    @Test
    void derivesUuidFromRuntimeId() {
        assertThat(identities.uuid(5)).isEqualTo(new UUID(0xABCD, 5));
    }
}
