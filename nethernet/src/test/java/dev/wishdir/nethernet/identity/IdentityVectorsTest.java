package dev.wishdir.nethernet.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;

import dev.wishdir.nethernet.NetherNetCaptures;
import dev.wishdir.nethernet.sdp.Sdp;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;

/** The vectors of identities, made by peers of other makes. */
class IdentityVectorsTest {
    private static final long CAPTURED = 1_795_300_000L;

    @Test
    void readsIdentities() throws IdentityRejectedException {
        int valid = 0;
        for (JsonObject vector : NetherNetCaptures.vectors("identity")) {
            Sdp sdp = Sdp.read(vector.get("sdp").getAsString().getBytes(StandardCharsets.UTF_8));
            if (vector.get("valid").getAsBoolean()) {
                valid++;
                Identity identity =
                        Objects.requireNonNull(
                                Identity.check(sdp, Identity.Policy.OFFLINE, CAPTURED));
                assertThat(identity.domain()).isEqualTo(vector.get("idp_domain").getAsString());
                assertThat(identity.issued()).isFalse();
                assertThat(Base64.getEncoder().encodeToString(identity.key().getEncoded()))
                        .isEqualTo(vector.get("public_key_spki").getAsString());
                assertThat(Identity.canonical(sdp.fingerprints()))
                        .isEqualTo(vector.get("canonical_fingerprints").getAsString());
            } else {
                assertThatThrownBy(() -> Identity.check(sdp, Identity.Policy.OFFLINE, CAPTURED))
                        .as(vector.get("why").getAsString())
                        .isInstanceOf(IdentityRejectedException.class);
            }
        }
        assertThat(valid).isEqualTo(2);
    }
}
