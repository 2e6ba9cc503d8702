/** HTTP requests, responses and settings as values. */
@NullMarked
package dev.wishdir.net.http;

import org.jspecify.annotations.NullMarked;
