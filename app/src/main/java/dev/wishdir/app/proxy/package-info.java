/** {@code proxy}: passes datagrams on between clients and one server, and shows them. */
@NullMarked
package dev.wishdir.app.proxy;

import org.jspecify.annotations.NullMarked;
