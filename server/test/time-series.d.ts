/** Types for the parts of the library that our tests use. */
declare module '@jambonz/time-series' {
  interface TimeSeries {
    writeCdrs: (calls: object) => Promise<void>
    writeAlerts: (alert: object) => Promise<void>
    AlertType: Record<string, string>
  }
  export default function timeSeries(logger: object, options: { host: string; port: number }): TimeSeries
}
