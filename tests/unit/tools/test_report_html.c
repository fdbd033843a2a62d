/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_report_html: names of others within a page, and as names of files. */
#include <stdlib.h>

#include "report/html.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define BAD "\xef\xbf\xbd"

static const struct {
	const char *text, *html;
} texts[] = {
	{ "physics", "physics" },
	{ "", "" },
	{ "<script>alert(1)</script>",
	  "&lt;script&gt;alert(1)&lt;/script&gt;" },
	{ "\"><img src=x onerror=alert(1)>",
	  "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;" },
	{ "' onclick='x", "&#39; onclick=&#39;x" },
	{ "a&b&amp;", "a&amp;b&amp;amp;" },
	{ "line\nend\ttab\x7f", "line" BAD "end" BAD "tab" BAD },
	{ "\x1b[31m", BAD "[31m" },
	{ "\xc2\x9b", BAD }, /* C1: begins a sequence */
	{ "Universit\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82",
	  "Universit\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82" },
	{ "a\xe2\x80\xae"
	  "b",
	  "a" BAD "b" }, /* right to left from here */
	{ "\xc0\xbcscript", BAD BAD "script" }, /* "<" in two bytes */
	{ "\xe0\x80\xbc", BAD BAD BAD }, /* in three */
	{ "\xed\xa0\x80", BAD BAD BAD }, /* half of a pair */
	{ "\xf5\x80\x80\x80", BAD BAD BAD BAD }, /* beyond Unicode */
	{ "cut\xe2\x82", "cut" BAD BAD },
	{ "\xff", BAD },
	{ "%s%n", "%s%n" },
};

START_TEST(text_is_only_text)
{
	char *got = NULL;
	size_t length;
	FILE *to = open_memstream(&got, &length);

	eqt_html_print(to, "%s", texts[_i].text);
	(void) fclose(to);
	ck_assert_str_eq(got, texts[_i].html);
	free(got);
}
END_TEST

START_TEST(print_escapes_each_text_and_no_format)
{
	char *got = NULL;
	size_t length;
	FILE *to = open_memstream(&got, &length);

	eqt_html_print(to, "<td class=\"%s\">%d %zu %.1f %.3g 100 %%</td>",
		       "\"<", -3, (size_t) 7, 2.25, 1e6);
	(void) fclose(to);
	ck_assert_str_eq(
		got, "<td class=\"&quot;&lt;\">-3 7 2.2 1e+06 100 %</td>");
	free(got);
}
END_TEST

static const struct {
	const char *name, *file;
} files[] = {
	{ "physics", "physics" },
	{ "def-x_cpu", "def-x_cpu" },
	{ "bloggs.prj", "bloggs.prj" },
	{ "ada@site", "ada@site" },
	{ "", "%" },
	{ ".", "%2E" },
	{ "..", "%2E." },
	{ "../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd" },
	{ "/", "%2F" },
	{ "a b", "a%20b" },
	{ "%2F", "%252F" },
	{ "<b>", "%3Cb%3E" },
	{ ".htaccess", "%2Ehtaccess" },
	{ "@", "%40" },
	{ "\xc3\xa9", "%C3%A9" },
};

START_TEST(name_is_a_safe_name_of_a_file)
{
	char file[EQT_HTML_FILE];

	ck_assert_str_eq(eqt_html_file(file, files[_i].name), files[_i].file);
}
END_TEST

START_TEST(long_names_that_differ_at_the_end_have_two_files)
{
	char name[600], one[EQT_HTML_FILE], two[EQT_HTML_FILE];

	memset(name, '/', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	eqt_html_file(one, name);
	name[sizeof(name) - 2] = 'x';
	eqt_html_file(two, name);
	ck_assert_str_ne(one, two);
	ck_assert_uint_lt(strlen(one), EQT_HTML_FILE);
	ck_assert_ptr_eq(strchr(one, '/'), NULL);
}
END_TEST

START_TEST(link_leads_to_the_file)
{
	char *got = NULL;
	size_t length;
	FILE *to = open_memstream(&got, &length);

	eqt_html_link(to, "../a&b");
	(void) fclose(to);
	ck_assert_str_eq(got, "%252E.%252Fa%2526b");
	free(got);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("report_html");
	TCase *tcase = tcase_create("report_html");

	tcase_add_loop_test(tcase, text_is_only_text, 0, (int) COUNT(texts));
	tcase_add_test(tcase, print_escapes_each_text_and_no_format);
	tcase_add_loop_test(tcase, name_is_a_safe_name_of_a_file, 0,
			    (int) COUNT(files));
	tcase_add_test(tcase, long_names_that_differ_at_the_end_have_two_files);
	tcase_add_test(tcase, link_leads_to_the_file);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
