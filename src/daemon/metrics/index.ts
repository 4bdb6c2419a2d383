/** Metrics of the daemon. */

export { collectMetrics, createWatchers, type MetricsPorts } from './metrics.js';
export { createObserver } from './observer.js';
export { PROMETHEUS_TYPE, prometheusText } from './prometheus-text.js';
