import * as z from 'zod'

const nullableText = z.string().nullable()

export const captureQuerySchema = z.looseObject({
  filter: z
    .preprocess((value) => (value === '' ? undefined : value), z.string().max(255).optional())
    .describe('A part of the request URI, From, To, Call-ID or an address.'),
  dialogue: z
    .preprocess((value) => (value === '' ? undefined : value), z.enum(['invite', 'register']).optional())
    .describe('`register` lists only registrations. `invite` lists all other SIP dialogs.'),
  before: z.string().max(36).optional().describe('The value of `next` in the response with the previous page.'),
})

/** One SIP dialog with captured messages. */
export const capturedDialogSchema = z.object({
  call_id: z.string(),
  /** The method of the first captured request. */
  method: z.string(),
  /** User and host, as in the first message. */
  from: nullableText,
  to: nullableText,
  /** The status of the last response to that method; null if there is none. */
  sip_status: z.number().nullable(),
  reason: nullableText,
  messages: z.number(),
  first_at: z.string(),
  /** Address and port of the sender and the receiver of the first message. */
  source: z.string(),
  target: z.string(),
})

export const capturePageSchema = z.object({
  data: z.array(capturedDialogSchema),
  /**
   * The start of the next page; null on the last one. Pages may be short, because each request searches a limited
   * amount.
   */
  next: nullableText,
})

export type CaptureQuery = z.input<typeof captureQuerySchema>
export type CapturedDialog = z.output<typeof capturedDialogSchema>
export type CapturePage = z.output<typeof capturePageSchema>
