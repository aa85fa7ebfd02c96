import * as z from 'zod'
import { bit, flag, optionalText, name, optionalSid, sid, text } from '../kit/fields'
import { findPatternError } from '../telephony/route-pattern'

export const lcrSchema = z.object({
  lcr_sid: z.string(),
  name: z.string().nullable(),
  is_active: bit(),
  default_carrier_set_entry_sid: z.string().nullable(),
  service_provider_sid: z.string().nullable(),
  account_sid: z.string().nullable(),
  /** Includes the default route. */
  number_routes: z.number(),
  /** Trunkline additions: the names of the owners, so that a list needs no second request. */
  account_name: z.string().nullable().optional(),
  service_provider_name: z.string().nullable().optional(),
  /** A Trunkline addition, for a single LCR: changes whenever the LCR or one of its routes changes. */
  version: z.string().optional(),
})

const columns = z.strictObject({
  name: name(64, 'missing field name'),
  is_active: flag().optional(),
  default_carrier_set_entry_sid: optionalSid(),
  account_sid: optionalSid(() => 'unknown account_sid'),
  service_provider_sid: optionalSid(() => 'unknown service_provider_sid'),
  /** Accepted because clients send whole records back; ignored. */
  number_routes: z.unknown().optional(),
})

export const lcrEntrySchema = z.object({
  lcr_carrier_set_entry_sid: z.string(),
  workload: z.number(),
  lcr_route_sid: z.string(),
  voip_carrier_sid: z.string(),
  priority: z.number(),
})

const nonNegativeInteger = () => z.number().int().min(0).max(2_147_483_647)

const entryColumns = { workload: nonNegativeInteger().optional(), priority: nonNegativeInteger().optional() }

export const lcrEntryDraftSchema = z.strictObject({
  lcr_carrier_set_entry_sid: z.unknown().optional(),
  lcr_route_sid: z.string('missing lcr_route_sid').min(1, 'missing lcr_route_sid'),
  voip_carrier_sid: z.string('missing voip_carrier_sid').min(1, 'missing voip_carrier_sid'),
  ...entryColumns,
})

export const lcrEntryChangesSchema = z.strictObject({
  lcr_route_sid: sid().optional(),
  voip_carrier_sid: sid().optional(),
  ...entryColumns,
})

export const lcrRouteSchema = z.object({
  lcr_route_sid: z.string(),
  lcr_sid: z.string(),
  regex: z.string(),
  description: z.string().nullable(),
  priority: z.number(),
  lcr_carrier_set_entries: z.array(lcrEntrySchema),
})

const patternSchema = z
  .string({ error: ({ input }) => (input === undefined || input === null ? 'missing field regex' : undefined) })
  .pipe(text(32).min(1, 'missing field regex'))
  .superRefine((regex, context) => {
    const error = findPatternError(regex)
    if (error) context.addIssue({ code: 'custom', message: error })
  })

export const lcrRouteDraftSchema = z.strictObject({
  lcr_route_sid: z.unknown().optional(),
  lcr_sid: z.string('missing parameter lcr_sid').min(1, 'missing parameter lcr_sid'),
  regex: patternSchema,
  description: optionalText(1024),
  priority: nonNegativeInteger(),
  lcr_carrier_set_entries: z.unknown().optional(),
})

export const lcrRouteChangesSchema = z.strictObject({
  lcr_sid: sid().optional(),
  regex: patternSchema.optional(),
  description: optionalText(1024),
  priority: nonNegativeInteger().optional(),
  lcr_carrier_set_entries: z.unknown().optional(),
})

/** One carrier of a route in a list of routes. An entry without a SID is new. */
const routeEntrySchema = z.strictObject({
  lcr_carrier_set_entry_sid: z.string().nullish(),
  lcr_route_sid: z.string().nullish(),
  voip_carrier_sid: z
    .string('One of lcr_carrier_set_entries is missing voip_carrier_sid')
    .min(1, 'One of lcr_carrier_set_entries is missing voip_carrier_sid'),
  ...entryColumns,
})

const entriesRequired = 'Lcr Route batch process require lcr_carrier_set_entries'

/** The routes of an LCR. A route without a SID is new; the route with priority 9999 is the default. */
export const routeListSchema = z
  .array(
    z.strictObject({
      lcr_route_sid: z.string().nullish(),
      lcr_sid: z.string().nullish(),
      regex: patternSchema,
      description: optionalText(1024),
      priority: nonNegativeInteger(),
      lcr_carrier_set_entries: z.array(routeEntrySchema, entriesRequired).min(1, entriesRequired),
    }),
    'a list of routes is required',
  )
  .max(10_000)

/**
 * A Trunkline addition: server capability `routes`. Replaces all routes of the LCR. If absent, the routes stay
 * unchanged.
 */
const routes = { routes: routeListSchema.optional() }

export const lcrDraftSchema = columns.extend({ lcr_sid: z.unknown().optional(), ...routes })

/**
 * With `version`, a Trunkline addition, the update fails with 409 if the LCR has changed since that version was read.
 */
export const lcrChangesSchema = columns.partial().extend({ ...routes, version: z.string().max(64).optional() })

export type Lcr = z.output<typeof lcrSchema>
export type LcrDraft = z.input<typeof lcrDraftSchema>
export type LcrChanges = z.input<typeof lcrChangesSchema>
export type LcrRoute = z.output<typeof lcrRouteSchema>
export type LcrRouteDraft = z.input<typeof lcrRouteDraftSchema>
export type LcrRouteChanges = z.input<typeof lcrRouteChangesSchema>
export type LcrCarrierSetEntry = z.output<typeof lcrEntrySchema>
export type LcrCarrierSetEntryDraft = z.input<typeof lcrEntryDraftSchema>
export type LcrCarrierSetEntryChanges = z.input<typeof lcrEntryChangesSchema>
export type RouteList = z.input<typeof routeListSchema>
