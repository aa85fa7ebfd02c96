/** The value of each label. */
type Labels = Record<string, string>

/** Something that writes lines in the text format of Prometheus. */
interface Metric {
  format: () => string[] | Promise<string[]>
}

const escapeLabel = (value: string) =>
  value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))

const formatLabels = (labels: Labels): string => {
  const entries = Object.entries(labels)
  return entries.length > 0 ? `{${entries.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(',')}}` : ''
}

const formatHead = (name: string, type: string, help: string) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]

/** Collects metrics, and formats them for Prometheus (text format, version 0.0.4). */
export const createRegistry = () => {
  const metrics: Metric[] = []

  const addValues = (name: string, type: string, help: string): Map<string, number> => {
    const values = new Map<string, number>()
    metrics.push({
      format: () => [
        ...formatHead(name, type, help),
        ...[...values].map(([labels, value]) => `${name}${labels} ${value}`),
      ],
    })
    return values
  }

  /** A number that only grows. */
  const createCounter = (name: string, help: string) => {
    const values = addValues(name, 'counter', help)
    return (labels: Labels = {}, amount = 1): void => {
      const key = formatLabels(labels)
      values.set(key, (values.get(key) ?? 0) + amount)
    }
  }

  /** A number that is replaced. */
  const createGauge = (name: string, help: string) => {
    const values = addValues(name, 'gauge', help)
    return (value: number, labels: Labels = {}): void => void values.set(formatLabels(labels), value)
  }

  /** Counts observed values by upper bounds, so that percentiles can be computed. */
  const createHistogram = (name: string, help: string, bounds: readonly number[]) => {
    interface Series {
      labels: Labels
      counts: number[]
      sum: number
    }
    const seriesByLabels = new Map<string, Series>()
    const formatSeries = ({ labels, counts, sum }: Series) => {
      let total = 0
      const buckets = [...bounds.map(String), '+Inf'].map((bound, index) => {
        total += counts[index] ?? 0
        return `${name}_bucket${formatLabels({ ...labels, le: bound })} ${total}`
      })
      const suffix = formatLabels(labels)
      return [...buckets, `${name}_sum${suffix} ${sum}`, `${name}_count${suffix} ${total}`]
    }
    metrics.push({
      format: () => [...formatHead(name, 'histogram', help), ...[...seriesByLabels.values()].flatMap(formatSeries)],
    })
    return (value: number, labels: Labels = {}): void => {
      const key = formatLabels(labels)
      const series = seriesByLabels.get(key) ?? { labels, counts: bounds.map(() => 0).concat(0), sum: 0 }
      seriesByLabels.set(key, series)
      const index = bounds.findIndex((bound) => value <= bound)
      series.counts[index < 0 ? bounds.length : index]! += 1
      series.sum += value
    }
  }

  /** A value that is read when Prometheus asks for it; absent if it cannot be read. */
  const addReading = (
    name: string,
    type: 'gauge' | 'counter',
    help: string,
    read: () => number | Promise<number>,
    labels: Labels = {},
  ): void => {
    metrics.push({
      format: async () => {
        try {
          return [...formatHead(name, type, help), `${name}${formatLabels(labels)} ${await read()}`]
        } catch {
          return []
        }
      },
    })
  }

  const format = async (): Promise<string> => {
    const lines: string[] = []
    for (const metric of metrics) lines.push(...(await metric.format()))
    return `${lines.join('\n')}\n`
  }

  return { createCounter, createGauge, createHistogram, addReading, format }
}

export type Registry = ReturnType<typeof createRegistry>
