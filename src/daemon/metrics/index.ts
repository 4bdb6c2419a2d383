/** Metrics of the daemon. */
export { PROMETHEUS_TYPE, prometheusText } from './family.js';
export { collectMetrics, type MetricsPorts } from './metrics.js';
export { createObserver, type Observer } from './observer.js';
export { createWatchers, type Watchers } from './watchers.js';
