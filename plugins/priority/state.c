/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Connect the rooms. Only this file knows which part uses which. */
#include "budget/request.h"
#include "budget/settlement.h"
#include "state.h"

/* Connect the parts of the room usage/, from the disk upwards. */
static void state_join_usage(struct eqt_state *state)
{
	state->usage = (struct eqt_usage){ .walk = state->walk };
	state->folder.owner = &state->owner;
	state->journal.writer.file = (struct eqt_append_file){
		EQT_APPEND_FILE,
		.folder = &state->folder,
		.name = EQT_JOURNAL,
		.shared = true,
	};
	state->journal.writer.sink = (struct eqt_journal_writer_sink){
		.put = eqt_charge_days_put,
		.arg = &state->days,
	};
	state->days.state = &state->folder;
	state->days.journal = &state->journal.writer;
	state->record.journal = &state->journal;
	state->sink.record = &state->record;
	state->sink.runs = &state->runs;
	state->unit = (struct eqt_usage_unit){
		.usage = &state->usage,
		.journal = &state->journal,
	};
	state->ledger = (struct eqt_ledger){
		.folder = &state->folder,
		.journal = &state->journal,
		.usage = &state->usage,
		.unit = &state->unit,
		.days = &state->days,
		.record = &state->record,
		.runs = &state->runs,
	};
	state->rebuild.walk = state->walk;
	state->rebuild.runs = &state->charge.runs;
	state->billing.guard = &state->guard;
	state->billing.rates = &state->rates;
	state->billing.rebuild = &state->rebuild;
	state->billing.unit = &state->unit;
	state->charge = (struct eqt_job_charge){
		.guard = &state->guard,
		.journal = &state->journal,
		.rates = &state->rates,
		.rebuild = &state->rebuild,
		.billing = &state->billing,
		.unit = &state->unit,
		.runs = { &state->runs, &state->sink, &state->clock },
	};
	state->completing.charges = &state->charge;
	state->pass_charge.completing = &state->completing;
	state->pass_charge.clock = &state->clock;
	state->ledger.clock = &state->clock;
	state->pass_charge.walk = state->walk;
	state->pass_charge.usage = &state->usage;
	state->pass_charge.unit = &state->unit;
	state->pass_charge.ledger = &state->ledger;
	state->pass_charge.jobs = &state->charge;
}

/* The priority of a job that a budget has released. */
static uint32_t state_priority_of(void *arg, const struct eqt_config *config,
				  job_record_t *job)
{
	const struct eqt_state *state = arg;

	return eqt_priority_make(&state->priority, config, job, time(NULL));
}

/* Connect the parts of the room budget/. */
static void state_join_budgets(struct eqt_state *state)
{
	struct eqt_budgets *budgets = &state->budgets;

	budgets->store = (struct eqt_store){
		.file = { .folder = &state->folder,
			  .name = EQT_BUDGET_STORE,
			  EQT_APPEND_FILE },
	};
	budgets->on_disk = &state->ledger.budget_entry;
	budgets->config = &state->config;
	budgets->guard = &state->guard;
	budgets->rates = &state->rates;
	budgets->priority_of = state_priority_of;
	budgets->priority_arg = state;
	budgets->charges = &state->charge;
	state->sink.active = eqt_settlement_active;
	state->sink.settle = eqt_settlement_stretch;
	state->sink.arg = budgets;
}

int eqt_state_init(struct eqt_state *state, struct eqt_error *err)
{
	const struct eqt_config *config = eqt_config_get(&state->config);

	if (eqt_budgets_init(&state->budgets, err) < 0) {
		eqt_config_put(config);
		return -1;
	}
	state->walk = eqt_walk_new(&state->guard, config->plain_walk);
	eqt_clock_start(&state->clock, config->stock.clock);
	eqt_config_put(config);
	if (!state->walk) {
		eqt_budgets_clear(&state->budgets);
		return eqt_error_set(err, "out of memory");
	}
	state_join_usage(state);
	state_join_budgets(state);
	state->tree.walk = state->walk;
	state->tree.usage = &state->usage;
	state->copies.walk = state->walk;
	state->copies.rates = &state->rates;
	state->size.rates = &state->rates;
	state->priority = (struct eqt_priority){
		.rates = &state->rates,
		.size = &state->size,
		.job_factors = &state->job_factors,
		.billing = &state->billing,
	};
	return 0;
}

void eqt_state_clear(struct eqt_state *state)
{
	eqt_request_clear(&state->budgets);
	eqt_budgets_clear(&state->budgets);
	/* Closing the ledger closes the journal first, so that waiting lines
	   are written. */
	eqt_ledger_close(&state->ledger);
	eqt_completing_free(&state->completing);
	eqt_runs_free(&state->runs);
	eqt_run_record_free(&state->record);
	eqt_billing_tres_clear(&state->billing);
	eqt_share_tree_clear(&state->tree);
	eqt_job_copies_clear(&state->copies);
	eqt_job_factors_clear(&state->job_factors);
	eqt_usage_clear(&state->usage);
	eqt_state_file_disown(&state->folder);
	/* The walk is freed last, because the other parts point to it. */
	eqt_walk_free(state->walk);
	state->walk = NULL;
}
