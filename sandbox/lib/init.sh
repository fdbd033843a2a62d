#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The first process of a sandbox's namespaces: lays the private mounts, then
# reaps orphans for ever. Its end is the end of everything inside.
set -euo pipefail

dir=$1

# Still the outer /proc: this is how the outside calls us.
read -r host_pid _ </proc/self/stat

# A private copy of /etc rather than mounts over single files: folders that
# the host lacks (/etc/slurm in a bare root) can be made in it.
mount -t tmpfs -o mode=0755 sandbox-etc "$dir/mnt"
cp -a /etc/. "$dir/mnt/"
cp -a "$dir"/sys/{passwd,group,shadow,hosts,nsswitch.conf} "$dir/mnt/"
mkdir -p "$dir/mnt/munge" "$dir/mnt/slurm"
chown root:root "$dir/mnt/munge"
chmod 0755 "$dir/mnt/munge"
cp -a "$dir/sys/munge.key" "$dir/mnt/munge/"
mount --bind "$dir/etc" "$dir/mnt/slurm"
mount --rbind "$dir/mnt" /etc

mount -t tmpfs -o mode=0755 sandbox-run /run
mkdir -p /run/munge /run/mysqld /run/lock /run/slurmctld /run/spare
chmod 1777 /run/lock
chmod 0700 /run/mysqld
chown mysql: /run/mysqld

mount -t proc proc /proc
echo head >/proc/sys/kernel/hostname

# lo alone is not enough: with loopback addresses only, name look-ups that
# ask for a configured address family find nothing.
ip link set lo up
ip addr add 192.0.2.1/32 dev lo
ip addr add 192.0.2.2/32 dev lo

# Slurm sends each message in two small pieces. Acknowledging the first at
# once, not after 40 ms, makes its every command ten times as quick.
ip route change local 192.0.2.1 dev lo table local proto kernel scope host \
	src 192.0.2.1 quickack 1 || :

echo "$host_pid" >"$dir/run/ready.new"
mv "$dir/run/ready.new" "$dir/run/ready"

trap '' HUP INT TERM
while :; do
	sleep 86400 &
	wait $! || :
done
