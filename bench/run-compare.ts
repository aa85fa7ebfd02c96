import { chooseRequests, compareServers, formatComparison, parseCompareSettings } from './compare'

const settings = parseCompareSettings(process.env)
const requests = await chooseRequests(settings)
const { runs, durationMs, concurrency } = settings
console.log(`A: ${settings.servers[0].base}, B: ${settings.servers[1].base}`)
console.log(`${runs} alternating runs of ${durationMs} ms each, ${concurrency} requests at a time\n`)
console.log(formatComparison(await compareServers(requests, settings)))
