import type { Call, Outage } from './calls'
import type { SeededRandom } from './seeded-random'
import type { Alert } from './line-protocol'

const hourMs = 3_600_000

/** Two accounts have trouble with their web servers; only calls to their own applications raise these alerts. */
const brokenWebServers: Record<string, (call: Call) => Omit<Alert, 'timeMs' | 'account_sid' | 'target_sid'>> = {
  'calls.lantern.example': ({ call_hook }) => ({
    alert_type: 'webhook-failure',
    message: `${call_hook} returned 502`,
  }),
  'calls.corvid.example': ({ call_status_hook }) => ({
    alert_type: 'webhook-connection-failure',
    message: `failed to connect to ${call_status_hook}`,
  }),
}

const findWebhookFailure = (call: Call) =>
  call.call_hook ? brokenWebServers[new URL(call.call_hook).host]?.(call) : undefined

/**
 * The alerts of the period: one per affected account and quarter hour of an outage, webhook failures, and some random
 * ones.
 */
export const generateAlerts = (random: SeededRandom, calls: readonly Call[], outages: readonly Outage[]): Alert[] => {
  const alerts: Alert[] = []
  const lastAlertAt = new Map<string, number>()
  for (const { startedAtMs: timeMs, account_sid, status, trunk, call_sid: target_sid } of calls) {
    const isAffected = outages.some(
      (outage) => outage.trunk === trunk && timeMs >= outage.fromMs && timeMs < outage.toMs,
    )
    if (!isAffected || status !== 503 || timeMs - (lastAlertAt.get(account_sid) ?? 0) < hourMs / 4) continue
    lastAlertAt.set(account_sid, timeMs)
    alerts.push({
      timeMs,
      account_sid,
      target_sid,
      alert_type: 'no-carrier',
      message: `outbound call failure: ${trunk} answers 503`,
    })
  }
  for (const call of calls) {
    const { startedAtMs: timeMs, account_sid, call_sid: target_sid } = call
    const failure = findWebhookFailure(call)
    if (failure && random.chance(0.08)) alerts.push({ timeMs, account_sid, target_sid, ...failure })
    if (!random.chance(0.003)) continue
    alerts.push(
      random.pick<Alert>([
        {
          timeMs,
          account_sid,
          target_sid,
          alert_type: 'tts-failure',
          vendor: 'microsoft',
          message:
            'text to speech request to microsoft (label: westeurope) failed; please check your speech credentials',
        },
        {
          timeMs,
          account_sid,
          target_sid,
          alert_type: 'no-stt',
          vendor: 'google',
          message: 'speech to text credentials for google (label: none) have not been provisioned',
        },
      ]),
    )
  }
  return alerts.sort((a, b) => a.timeMs - b.timeMs)
}
