package dev.wishdir.nethernet.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.ForwardingCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.nethernet.identity.IssuerKeyCache.Answer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.RSAPublicKeySpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** When keys are asked for, in virtual time. */
class IssuerKeyCacheTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MINUTE = 60 * SECOND;

    /** A source that a test changes. */
    private static final class ScriptedSource implements IssuerKeySource {
        Schedule schedule = new Schedule(30 * MINUTE, MINUTE, Long.MAX_VALUE);
        Optional<StoredKeys> stored = Optional.empty();
        @Nullable String failure;
        List<String> ids = List.of("a", "b");
        boolean isUnchanged;
        int fetches;

        @Override
        public Schedule schedule() {
            return schedule;
        }

        @Override
        public Optional<StoredKeys> stored() {
            return stored;
        }

        @Override
        public Optional<IdentityIssuer> fetch() throws IOException {
            fetches++;
            if (failure != null) {
                throw new IOException(failure);
            }
            return isUnchanged ? Optional.empty() : Optional.of(issuer(ids));
        }
    }

    private final ScriptedSource source = new ScriptedSource();
    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final DutyCycle cycle = network.cycle();
    private final Counters counters = new Counters();
    private final IssuerKeyCache cache = cache(cycle);

    private IssuerKeyCache cache(DutyCycle on) {
        IssuerKeyCache made =
                new IssuerKeyCache(
                        on, IdentityIssuer.MOJANG, Optional.of(source), counters, "issuer");
        cycle.add(made::advance);
        return made;
    }

    /** Keys that differ in their number only. */
    private static IdentityIssuer issuer(List<String> ids) {
        Map<String, RSAPublicKey> keys = new HashMap<>();
        for (String id : ids) {
            BigInteger modulus =
                    BigInteger.ONE.shiftLeft(2047).add(BigInteger.valueOf(2L * id.hashCode() + 1));
            try {
                keys.put(
                        id,
                        (RSAPublicKey)
                                KeyFactory.getInstance("RSA")
                                        .generatePublic(
                                                new RSAPublicKeySpec(
                                                        modulus, BigInteger.valueOf(65_537))));
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }
        return new IdentityIssuer(IdentityIssuer.MOJANG.name(), keys);
    }

    private List<Answer> request(String... ids) {
        List<Answer> answers = new ArrayList<>();
        for (String id : ids) {
            cache.request(id, answers::add);
        }
        network.run(SECOND);
        return answers;
    }

    @Test
    void fetchesNothingBeforeFirstRequest() {
        network.run(60 * MINUTE);
        assertThat(source.fetches).isZero();
        assertThat(request("a")).containsExactly(Answer.KNOWN);
        assertThat(cache.issuer().keys()).containsOnlyKeys("a", "b");
        assertThat(source.fetches).isEqualTo(1);
    }

    @Test
    @DisplayName("E28 a thousand forged key IDs cause one fetch, and none that is known waits")
    void fetchesOnceForFlood() {
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            cache.request("forged " + i, answers::add);
        }
        assertThat(answers).hasSize(500 - IssuerKeyCache.MAX_WAITING).containsOnly(Answer.BUSY);
        network.run(SECOND);
        for (int i = 500; i < 1000; i++) {
            assertThat(request("forged " + i)).containsExactly(Answer.UNKNOWN);
            assertThat(request("a")).containsExactly(Answer.KNOWN);
        }
        assertThat(answers).hasSize(500);
        assertThat(source.fetches).isEqualTo(1);
        assertThat(counters.get("issuer.fetched")).isEqualTo(1);
    }

    @Test
    void fetchesRotatedKeyHalfAnHourLater() {
        request("a");
        source.ids = List.of("b", "c");
        assertThat(request("c")).containsExactly(Answer.UNKNOWN);
        network.run(30 * MINUTE);
        assertThat(request("c", "a", "b"))
                .containsExactlyInAnyOrder(Answer.KNOWN, Answer.KNOWN, Answer.KNOWN);
        assertThat(cache.issuer().keys()).containsOnlyKeys("b", "c");
        assertThat(source.fetches).isEqualTo(2);
    }

    @Test
    void keepsKeysWhenFetchFails() {
        request("a");
        source.failure = "HTTP status 500";
        network.run(30 * MINUTE);
        assertThat(request("c", "d")).containsExactly(Answer.UNAVAILABLE, Answer.UNAVAILABLE);
        assertThat(request("a", "c")).containsExactly(Answer.KNOWN, Answer.UNAVAILABLE);
        assertThat(source.fetches).isEqualTo(2);
        source.failure = null;
        source.ids = List.of("c");
        network.run(MINUTE);
        assertThat(request("c")).containsExactly(Answer.KNOWN);
        assertThat(counters.get("issuer.failed")).isEqualTo(1);
    }

    @Test
    @DisplayName("E29 a restart during an outage of the issuer: the stored keys go on")
    void usesStoredKeysDuringOutage() {
        source.failure = "connection refused";
        source.stored = Optional.of(new IssuerKeySource.StoredKeys(issuer(List.of("a")), false));
        assertThat(request("a")).containsExactly(Answer.KNOWN);
        assertThat(request("b")).containsExactly(Answer.UNAVAILABLE);
        assertThat(source.fetches).isEqualTo(1);
    }

    @Test
    void asksSourceForWhatRecentStoreLacks() {
        source.stored = Optional.of(new IssuerKeySource.StoredKeys(issuer(List.of("a")), true));
        assertThat(request("a")).containsExactly(Answer.KNOWN);
        assertThat(source.fetches).isZero();
        assertThat(request("b")).containsExactly(Answer.KNOWN);
        assertThat(source.fetches).isEqualTo(1);
    }

    /** The first asks for what the store has; the second comes before the store is read. */
    @Test
    void asksSourceForKeyRequestedWhileStoreIsRead() {
        source.stored = Optional.of(new IssuerKeySource.StoredKeys(issuer(List.of("a")), true));
        network.offloading(SECOND / 10);
        assertThat(request("a", "b")).containsExactly(Answer.KNOWN, Answer.KNOWN);
        assertThat(source.fetches).isEqualTo(1);
    }

    @Test
    @DisplayName("E29 an issuer that answers slowly: a login waits for ten seconds at most")
    void answersRequestThatWaitedTooLong() {
        IssuerKeyCache slow =
                cache(
                        new ForwardingCycle(cycle) {
                            @Override
                            public <T> boolean offloadLong(
                                    Callable<T> work,
                                    Consumer<T> onResult,
                                    Consumer<Throwable> onFailure) {
                                return true;
                            }
                        });
        List<Answer> answers = new ArrayList<>();
        slow.request("a", answers::add);
        network.run(IssuerKeyCache.MAX_WAIT_NANOS - 1);
        assertThat(answers).isEmpty();
        network.run(SECOND);
        assertThat(answers).containsExactly(Answer.UNAVAILABLE);
    }

    @Test
    void pollsFile() {
        source.schedule = new IssuerKeySource.Schedule(5 * SECOND, 5 * SECOND, MINUTE);
        network.run(MINUTE + SECOND);
        assertThat(cache.issuer().keys()).containsOnlyKeys("a", "b");
        source.ids = List.of("c");
        network.run(MINUTE);
        assertThat(cache.issuer().keys()).containsOnlyKeys("c");
        source.failure = "no such file";
        network.run(10 * MINUTE);
        assertThat(cache.issuer().keys()).containsOnlyKeys("c");
        assertThat(source.fetches).isEqualTo(12);
    }

    @Test
    void countsOnlyChangesOfPolledFile() {
        source.schedule = new IssuerKeySource.Schedule(5 * SECOND, 5 * SECOND, MINUTE);
        network.run(MINUTE + SECOND);
        source.isUnchanged = true;
        network.run(10 * MINUTE);
        assertThat(request("forged")).containsExactly(Answer.UNKNOWN);
        assertThat(source.fetches).isEqualTo(11);
        assertThat(counters.get("issuer.fetched")).isEqualTo(1);
        assertThat(cache.issuer().keys()).containsOnlyKeys("a", "b");
    }
}
