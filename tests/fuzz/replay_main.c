/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay: feed the files named on the command line, or each file of a folder
 * named there, to a fuzz harness without a fuzzer. It ends as the harness does
 * (by abort), or with 1 if a file cannot be read or there is none.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define FILE_MAX ((size_t) 1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data, *exact;
	size_t size;

	if (!file) {
		perror(path);
		return -1;
	}
	data = malloc(FILE_MAX);
	size = data ? fread(data, 1, FILE_MAX, file) : 0;
	/* Cut to the length, so that a sanitizer sees a read past the end. */
	exact = data ? realloc(data, size ? size : 1) : NULL;
	if (!exact || ferror(file)) {
		fprintf(stderr, "%s: not read\n", path);
		free(exact ? exact : data);
		fclose(file);
		return -1;
	}
	fclose(file);
	LLVMFuzzerTestOneInput(exact, size);
	free(exact);
	return 0;
}

/* The number of files of a folder, or -1. */
static int replay_folder(const char *folder)
{
	struct dirent *entry;
	char path[4096];
	int count = 0;
	DIR *dir = opendir(folder);

	if (!dir) {
		perror(folder);
		return -1;
	}
	while (count >= 0 && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		if ((size_t) snprintf(path, sizeof(path), "%s/%s", folder,
				      entry->d_name) >= sizeof(path) ||
		    replay_file(path) < 0)
			count = -1;
		else
			count++;
	}
	closedir(dir);
	return count;
}

static int replay(const char *path)
{
	struct stat status;

	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
		return replay_folder(path);
	return replay_file(path) < 0 ? -1 : 1;
}

int main(int argc, char **argv)
{
	int i, count, total = 0;

	for (i = 1; i < argc; i++) {
		count = replay(argv[i]);
		if (count <= 0) {
			fprintf(stderr, "%s: nothing replayed\n", argv[i]);
			return EXIT_FAILURE;
		}
		total += count;
	}
	printf("%d inputs replayed\n", total);
	return total > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
