import './stack-traces'
import { formatReport, hasFailed } from './doctor/checks'
import { examine } from './doctor/run'

// `npm run doctor`: checks the installation, says what is wrong and how to repair it.
const results = await examine()
process.stdout.write(process.argv.includes('--json') ? `${JSON.stringify(results, null, 2)}\n` : formatReport(results))
process.exitCode = hasFailed(results) ? 1 : 0
