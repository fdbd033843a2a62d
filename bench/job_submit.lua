-- SPDX-License-Identifier: GPL-2.0-or-later
-- What a site writes who tells the price by job_submit/lua: the same bundles, the
-- same sums and a message of the same kind.
local bundles = {
	cores = { cores = 1, memory = 4000, weight = 1 },
	["gpu:p100"] = { cores = 6, memory = 32000, weight = 1 },
	["gpu:v100"] = { cores = 3.5, memory = 22500, weight = 4 },
}

local function gpus_of(desc)
	local text = desc.tres_per_node or desc.tres_per_job or desc.gres or ""
	local nodes = desc.min_nodes
	local found, count = {}, 0

	if nodes == slurm.NO_VAL or nodes == nil or nodes < 1 then
		nodes = 1
	end
	for name, n in string.gmatch(text, "(gpu:%a%w*):(%d+)") do
		if bundles[name] then
			found[name] = (found[name] or 0) + tonumber(n) * nodes
			count = count + 1
		end
	end
	return found, count
end

local function memory_of(desc, cpus)
	if desc.min_mem_per_cpu ~= nil then
		return desc.min_mem_per_cpu * cpus
	end
	if desc.min_mem_per_node ~= nil then
		local nodes = desc.min_nodes
		if nodes == slurm.NO_VAL or nodes == nil or nodes < 1 then
			nodes = 1
		end
		return desc.min_mem_per_node * nodes
	end
	return 4000 * cpus
end

local function price_of(desc)
	local cpus = desc.min_cpus
	local gpus, count = gpus_of(desc)
	local weight, cores, memory = 0, 0, 0

	if cpus == slurm.NO_VAL or cpus == nil or cpus < 1 then
		cpus = 1
	end
	local mem = memory_of(desc, cpus)
	if count == 0 then
		local by_memory = mem / bundles.cores.memory
		if by_memory > cpus then
			return by_memory, "core-equivalents", "memory"
		end
		return cpus, "core-equivalents", "cores"
	end
	for name, n in pairs(gpus) do
		local bundle = bundles[name]
		weight = weight + n * bundle.weight
		cores = cores + n * bundle.cores
		memory = memory + n * bundle.memory
	end
	local most, why = 1, "GPUs"
	if cpus / cores > most then most, why = cpus / cores, "cores" end
	if mem / memory > most then most, why = mem / memory, "memory" end
	return weight * most, "GPU-equivalents", why
end

function slurm_job_submit(desc, partitions, uid)
	local price, unit, why = price_of(desc)
	local line = string.format("%g %s, decided by %s", price, unit, why)

	if desc.time_limit ~= slurm.NO_VAL then
		line = line .. string.format("; %g hours of it for the time limit",
			price * desc.time_limit / 60)
	end
	slurm.log_user(line)
	return slurm.SUCCESS
end

function slurm_job_modify(desc, record, partitions, uid)
	return slurm.SUCCESS
end

return slurm.SUCCESS
