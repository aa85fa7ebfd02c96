import { defineRoute } from '../kit/route'
import type { CapturePage, CaptureQuery } from '../shapes/capture'

/** A Trunkline addition: server capability `captures`. Captures have no owner, so only administrators list them. */
export const capturedDialogs = defineRoute<{ query: CaptureQuery; response: CapturePage }>()(
  'GET',
  '/Captures',
  'List captured SIP dialogs, newest first',
)
