package dev.wishdir.idtech;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;

class Md4Test {
    /** RFC 1320, A.5. */
    @ParameterizedTest
    @CsvSource({
        "'', 31d6cfe0d16ae931b73c59d7e0c089c0",
        "a, bde52cb31de33e46245e05fbdbd6fb24",
        "abc, a448017aaf21d8525fc10ae87aa6729d",
        "message digest, d9130a8164549fe818874806e1c7014b",
        "abcdefghijklmnopqrstuvwxyz, d79e1c308aa5bbcdeea8ed63df412da9",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789,"
                + " 043f8582f241db351ce627e153e7f0e4",
        "12345678901234567890123456789012345678901234567890123456789012345678901234567890,"
                + " e33b4ddc9c38f2199c3e7b164fcc0536"
    })
    void matchesRfcDigests(String text, String digest) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        StringBuilder hex = new StringBuilder();
        int folded = 0;
        for (int word : Md4.digest(bytes, bytes.length)) {
            hex.append("%08x".formatted(Integer.reverseBytes(word)));
            folded ^= word;
        }
        assertThat(hex).hasToString(digest);
        assertThat(Md4.fold(bytes, bytes.length)).isEqualTo(folded);
    }

    @ParameterizedTest
    @CsvSource({"'', 3338027191", "abc, 1570836014", "message digest, 618399556"})
    void matchesBlockChecksums(String text, long folded) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        assertThat(Integer.toUnsignedLong(Md4.fold(bytes, bytes.length))).isEqualTo(folded);
    }
}
