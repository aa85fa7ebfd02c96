import Stripe from 'stripe'
import type { Event } from './objects'

export interface WebhookTarget {
  url: string
  /** The signing secret: `whsec_…`. */
  secret: string
}

const retryDelaysMs = [50, 200, 1000]
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Delivers events with Stripe's signature. Stripe repeats a delivery for days until it gets a 2xx response; the double
 * tries four times, and keeps what failed for `redeliver`.
 */
export const createWebhookSender = () => {
  let target: WebhookTarget | undefined
  const pending = new Set<Promise<void>>()
  const undelivered: Event[] = []

  /** Sends an event once. Returns whether it was accepted. */
  const send = async (event: Event, to: WebhookTarget): Promise<boolean> => {
    const payload = JSON.stringify(event)
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload,
      secret: to.secret,
      // The signature states the real time, because receivers compare it with their clock.
      timestamp: Math.floor(Date.now() / 1000),
    })
    const response = await fetch(to.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
      body: payload,
    }).catch(() => undefined)
    await response?.arrayBuffer()
    return response?.ok === true
  }

  const deliver = async (event: Event, to: WebhookTarget): Promise<void> => {
    for (const delayMs of [0, ...retryDelaysMs]) {
      await sleep(delayMs)
      if (await send(event, to)) return
    }
    undelivered.push(event)
  }

  return {
    setTarget: (newTarget: WebhookTarget | undefined) => {
      target = newTarget
    },

    /** Delivers an event in the background. Without a target, nothing is sent. */
    queue(event: Event): void {
      if (!target) return
      const done = deliver(event, target).finally(() => pending.delete(done))
      pending.add(done)
    },

    /** Resolves when every delivery has succeeded or was given up. */
    async drain(): Promise<void> {
      while (pending.size > 0) await Promise.all(pending)
    },

    /** Sends one event again, also if it was delivered before. */
    redeliver: async (event: Event): Promise<boolean> => (target ? send(event, target) : false),

    /** Sends what was given up again. */
    async redeliverFailed(): Promise<void> {
      for (const event of undelivered.splice(0)) if (target) await deliver(event, target)
    },
  }
}

export type WebhookSender = ReturnType<typeof createWebhookSender>
