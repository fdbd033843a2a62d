/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sanitizer: is this program built with the address sanitizer? It maps terabytes and has
 * an allocator of its own. gcc and clang say it in different ways. */
#ifndef EQT_TESTS_SANITIZER_H
#define EQT_TESTS_SANITIZER_H

#ifdef __SANITIZE_ADDRESS__
#define ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER
#endif
#endif

#endif
