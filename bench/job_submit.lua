-- SPDX-License-Identifier: GPL-2.0-or-later
-- What a site writes who tells the price by job_submit/lua: the same bundles, the
-- same sums and, to the letter, the same message as equitree's of a request by
-- tasks, CPUs, memory and GPUs. It knows no pools of accounts, no grants and no
-- bundles that differ by node; bench/submit.c compares what both say.
local cores = { cores = 1, memory = 4000 }
local models = {
	p100 = { cores = 6, memory = 32000, weight = 1 },
	v100 = { cores = 3.5, memory = 22500, weight = 4 },
}
local order = { "p100", "v100" }
local partition_factors = { strict = 1 }
local partition_caps = { strict = 3 }
local qos_factors = { half = 0.5 }

local function given(number)
	if number == nil or number == slurm.NO_VAL or number == slurm.NO_VAL16 or
	    number == 0 then
		return nil
	end
	return number
end

-- "gres:gpu:p100:2,gres:gpu:1" into counts by model; "" is any model.
local function read_list(list, times, counts)
	if not list then
		return
	end
	for item in string.gmatch(list, "[^,]+") do
		local name = string.gsub(item, "^gres[:/]", "")
		local kind, count = string.match(name, "^gpu:(%a%w*)[:=](%d+)$")
		if not kind then
			kind = string.match(name, "^gpu:(%a%w*)$")
			count = 1
			if not kind then
				kind, count = "", string.match(name, "^gpu[:=](%d+)$")
			end
			if not count and name == "gpu" then
				count = 1
			end
		end
		if count then
			local number = tonumber(count) * times
			if number > (counts[kind] or 0) then
				counts[kind] = number
			end
		end
	end
end

-- What the request comes to on so many nodes: cores, MiB, GPUs by model.
local function ask_of(desc, part, nodes)
	local ask = { gpus = {}, gpu_count = 0 }
	local each_task = given(desc.cpus_per_task)
	local each_node = given(desc.ntasks_per_node)
	local tasks = given(desc.num_tasks)
	local least = given(desc.pn_min_cpus) or 1

	nodes = nodes or given(desc.min_nodes) or 1
	if tasks and each_node and math.ceil(tasks / each_node) > nodes then
		nodes = math.ceil(tasks / each_node)
	end
	ask.nodes = nodes
	ask.tasks = tasks or nodes * (each_node or 1)
	read_list(desc.tres_per_job, 1, ask.gpus)
	read_list(desc.tres_per_node, nodes, ask.gpus)
	read_list(desc.tres_per_task, ask.tasks, ask.gpus)
	read_list(desc.tres_per_socket, nodes, ask.gpus)
	for _, count in pairs(ask.gpus) do
		ask.gpu_count = ask.gpu_count + count
	end
	local per_gpu, mem_per_gpu = {}, {}
	read_list(desc.cpus_per_tres, 1, per_gpu)
	read_list(desc.mem_per_tres, 1, mem_per_gpu)
	ask.cores = given(desc.min_cpus) or 1
	least = math.max(least, each_task or 1)
	if ask.tasks > 1 and each_node then
		least = math.max(least, each_node * (each_task or 1))
	end
	ask.cores = math.max(ask.cores, least * nodes,
		ask.tasks * (each_task or 1))
	if per_gpu[""] then
		ask.cores = math.max(ask.cores, per_gpu[""] * ask.gpu_count)
		ask.by_gpu = true
	end
	if desc.min_mem_per_cpu then
		ask.memory, ask.option = desc.min_mem_per_cpu * ask.cores, "mem-per-cpu"
		ask.pieces = ask.cores
	elseif desc.min_mem_per_node then
		ask.memory, ask.option = desc.min_mem_per_node * nodes, "mem"
		ask.pieces = nodes
	elseif mem_per_gpu[""] then
		ask.memory = mem_per_gpu[""] * ask.gpu_count
		ask.option, ask.pieces = "mem-per-gpu", ask.gpu_count
	elseif part and part.def_mem_per_cpu then
		ask.memory, ask.option = part.def_mem_per_cpu * ask.cores, "mem-per-cpu"
		ask.pieces = ask.cores
	else
		ask.memory = 0
	end
	return ask
end

-- The price, what each resource would cost alone, and which one decides.
local function price_of(ask)
	local price = { gpus = 0 }

	if ask.gpu_count == 0 then
		price.unit = "core-equivalent"
		price.cores = ask.cores / cores.cores
		price.memory = ask.memory / cores.memory
		price.most, price.why = price.cores, "cores"
	else
		local weight, by_cores, by_memory = 0, 0, 0
		for _, name in ipairs(order) do
			local count, model = ask.gpus[name], models[name]
			if count then
				weight = weight + count * model.weight
				by_cores = math.max(by_cores, model.weight / model.cores)
				by_memory = math.max(by_memory, model.weight / model.memory)
			end
		end
		if weight == 0 then
			return nil
		end
		price.unit = "GPU-equivalent"
		price.gpus = weight
		price.cores = ask.cores * by_cores
		price.memory = ask.memory * by_memory
		price.most, price.why = weight, "GPUs"
		if price.cores > price.most then
			price.most, price.why = price.cores, "cores"
		end
	end
	if price.memory > price.most then
		price.most, price.why = price.memory, "memory"
	end
	return price
end

local function text_of(number)
	local text = string.format("%.4f", number)
	return (string.gsub(string.gsub(text, "0+$", ""), "%.$", ""))
end

local function plural(number)
	return number == 1 and "" or "s"
end

local function limit_text(minutes)
	local clock = string.format("%02d:00", minutes % 60)

	if minutes >= 1440 then
		return string.format("%d-%02d:%s", math.floor(minutes / 1440),
			math.floor(minutes / 60) % 24, clock)
	end
	return string.format("%d:%s", math.floor(minutes / 60), clock)
end

-- The same request with less of what decides, if that is cheaper.
local function hint_of(ask, price)
	local second, other, amount, option = 0, {}, nil, nil

	for _, name in ipairs({ "cores", "memory", "gpus" }) do
		if name ~= price.why and price[name] > second and
		    not (name == "gpus" and price.why == "GPUs") then
			second = price[name]
		end
	end
	for key, value in pairs(ask) do
		other[key] = value
	end
	if price.why == "memory" and ask.option then
		amount = math.floor(ask.memory * second / price.most + 1e-9)
		amount = math.floor(amount / ask.pieces)
		other.memory = amount * ask.pieces
		option = string.format("--%s=%dM", ask.option, amount)
	elseif price.why == "cores" and ask.gpu_count > 0 then
		local pieces = ask.by_gpu and ask.gpu_count or ask.tasks
		amount = math.floor(ask.cores * second / price.most + 1e-9)
		amount = math.floor(amount / pieces)
		other.cores = amount * pieces
		if ask.option == "mem-per-cpu" then
			other.memory = ask.memory / ask.cores * other.cores
		end
		option = string.format("--cpus-per-%s=%d",
			ask.by_gpu and "gpu" or "task", amount)
	end
	if not amount or amount == 0 then
		return ""
	end
	other = price_of(other)
	if other.most >= price.most then
		return ""
	end
	return string.format("; %s: %s", option, text_of(other.most))
end

-- A job may get more nodes than it needs, each with the memory of a node.
local function spread_of(desc, part, ask, price)
	local nodes = given(desc.num_tasks)

	if given(desc.max_nodes) or not nodes then
		return ""
	end
	if desc.tres_per_job and ask.gpu_count > 0 and nodes > ask.gpu_count then
		nodes = ask.gpu_count
	end
	if part and part.total_nodes > 0 and nodes > part.total_nodes then
		nodes = part.total_nodes
	end
	if nodes <= ask.nodes then
		return ""
	end
	local wide = price_of(ask_of(desc, part, nodes))
	if wide.most <= price.most then
		return ""
	end
	return string.format("; up to %s without -N%d",
		text_of(wide.most), ask.nodes)
end

local function partition_of(desc, partitions)
	local name = desc.partition and string.match(desc.partition, "[^,]+")

	if name then
		return partitions[name], name
	end
	for other, part in pairs(partitions) do
		if part.flag_default == 1 then
			return part, other
		end
	end
	return nil, ""
end

function slurm_job_submit(desc, partitions, uid)
	local part, name = partition_of(desc, partitions)
	local ask = ask_of(desc, part, nil)
	local price = price_of(ask)

	if not price then
		return slurm.SUCCESS
	end
	if partition_caps[name] and price.most > partition_caps[name] then
		slurm.log_user(string.format(
			"%s %ss are more than the %s of one job in partition %s",
			text_of(price.most), price.unit,
			text_of(partition_caps[name]), name))
		return slurm.ERROR
	end
	local factor = (partition_factors[name] or 1) *
		(desc.qos and qos_factors[desc.qos] or 1)
	local line = string.format("equitree: cost %s %s%s (%s %s)",
		text_of(price.most), price.unit, plural(price.most), price.why,
		price.why == "memory" and "decides" or "decide")
	if given(desc.time_limit) then
		local hours = price.most * factor * desc.time_limit / 60
		line = line .. string.format(", %s h for %s", text_of(hours),
			limit_text(desc.time_limit))
	end
	line = line .. spread_of(desc, part, ask, price) .. hint_of(ask, price)
	slurm.log_user(line)
	return slurm.SUCCESS
end

function slurm_job_modify(desc, record, partitions, uid)
	return slurm.SUCCESS
end

return slurm.SUCCESS
