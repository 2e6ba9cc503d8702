/**
 * Signed identities: the key of this side, what the other side has proved, and which issuers are
 * trusted.
 */
@NullMarked
package dev.wishdir.nethernet.identity;

import org.jspecify.annotations.NullMarked;
